//! From a listening socket to answers, until it is time to stop.

use crate::app::App;
use crate::routes::router;
use crate::settings::ServerSettings;
use engine::EngineHandle;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;

/// Answers under way when it is time to stop get this long.
const STOP_WITHIN: Duration = Duration::from_secs(1);

/// Serves the API and the web UI on `listener` until `stop` is ready; then live streams end, answers under way
/// are finished, and the call returns within about a second.
pub async fn serve(
    listener: TcpListener,
    engine: EngineHandle,
    settings: ServerSettings,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let app = App::new(engine, settings, listener.local_addr()?)?;
    let stopped = app.stopped.clone();
    let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown({
        let stopped = stopped.clone();
        async move { stopped.cancelled().await }
    });
    let patience = async move {
        stop.await;
        stopped.cancel();
        tokio::time::sleep(STOP_WITHIN).await;
    };
    tokio::select! {
        ended = serving.into_future() => ended,
        // Whoever still hangs on the line is cut off.
        () = patience => Ok(()),
    }
}
