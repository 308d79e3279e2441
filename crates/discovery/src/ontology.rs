//! What a topic is: classes, relations, words.
