//! Scripted and hostile web servers, a WebDriver client, throw-away folders. For tests only
