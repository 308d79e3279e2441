//! The loop: plan, fetch, read, store; workers, watchdog, clean stop
