//! Which doors a route has, and a list of them all.

use crate::access::{csrf, guard, host};
use crate::app::App;
use crate::{api, feeds, headers, operations, ui};
use axum::Router;
use axum::handler::Handler;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing;

/// Who a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone who reaches us: the login itself, style and script, liveness.
    Anyone,
    /// A person who is logged in, where a login is required. Writes need a form token.
    Person,
    /// A program with an API token, or one of our own pages.
    Program,
    /// A feed reader with the feed key; also whoever may see the pages or has an API token.
    Reader,
}

/// One route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The HTTP method.
    pub method: &'static str,
    /// The path, with `{names}` for what varies.
    pub path: String,
    /// Who it is for.
    pub access: Access,
}

/// Every route there is, for documents and for tests that try every door.
pub fn routes() -> Vec<Route> {
    let listed = [
        (ui::pages().listed, Access::Person),
        (ui::doors().listed, Access::Anyone),
        (operations::open().listed, Access::Anyone),
        (operations::guarded().listed, Access::Program),
        (feeds::feeds().listed, Access::Reader),
    ];
    let own = listed.into_iter().flat_map(|(listed, access)| {
        listed.into_iter().map(move |(method, path)| Route { method, path: path.to_owned(), access })
    });
    let api = api::listed().into_iter().map(|(method, path)| Route { method, path, access: Access::Program });
    own.chain(api).collect()
}

pub(crate) fn router(app: App) -> Router {
    let forms = from_fn_with_state(app.clone(), csrf::guard);
    let person = from_fn_with_state(app.clone(), guard::person);
    let program = from_fn_with_state(app.clone(), guard::program);
    let reader = from_fn_with_state(app.clone(), guard::reader);
    // The last layer is the outermost: the login is asked before a form is read.
    let pages = ui::pages().router.route_layer(forms.clone()).route_layer(person);
    let doors = ui::doors().router.route_layer(forms);
    let programs = api::router().merge(operations::guarded().router).route_layer(program);
    Router::new()
        .merge(pages)
        .merge(doors)
        .merge(programs)
        .merge(operations::open().router)
        .merge(feeds::feeds().router.route_layer(reader))
        .fallback(ui::nothing_here)
        .layer(from_fn_with_state(app.clone(), host::guard))
        .layer(from_fn(headers::secure))
        .with_state(app)
}

/// A router that knows its routes.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) router: Router<App>,
    pub(crate) listed: Vec<(&'static str, &'static str)>,
}

impl Listed {
    pub(crate) fn get<H, T>(mut self, path: &'static str, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        self.listed.push(("GET", path));
        Self { router: self.router.route(path, routing::get(handler)), ..self }
    }

    pub(crate) fn post<H, T>(mut self, path: &'static str, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        self.listed.push(("POST", path));
        Self { router: self.router.route(path, routing::post(handler)), ..self }
    }
}
