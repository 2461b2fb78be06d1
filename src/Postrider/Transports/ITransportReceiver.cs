namespace Postrider.Transports;

/// <summary>Pauses and resumes what a transport of the container receives. Registered with the transport's name as its key.</summary>
/// <remarks>Thread-safe. Paused sources are not listened to: the transport keeps their messages, or gives them to other processes; one
/// that keeps nothing loses them. Sending is not affected.</remarks>
/// <example><code>
/// var receiver = services.GetRequiredKeyedService&lt;ITransportReceiver&gt;("orders");
/// await receiver.PauseAsync("orders.place");
/// </code></example>
public interface ITransportReceiver
{
    /// <summary>The sources of the bindings, in their order.</summary>
    IReadOnlyList<string> Sources { get; }

    /// <summary>The sources that are not listened to: all before the host has started and after it has stopped.</summary>
    IReadOnlyList<string> PausedSources { get; }

    /// <summary>Stops listening and waits for the handlers that run. Messages that were taken and not begun are returned without an attempt.</summary>
    /// <param name="source">The source; null for all.</param>
    /// <param name="ct">Cancels the wait for another call that pauses or resumes.</param>
    /// <returns>Completes when none of its handlers is running: a handler that awaits it for its own source waits for itself. Nothing happens
    /// if it is paused.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: there is no such source, or the host does not
    /// run.</exception>
    ValueTask PauseAsync(string? source = null, CancellationToken ct = default);

    /// <summary>Listens again.</summary>
    /// <param name="source">The source; null for all.</param>
    /// <param name="ct">Cancels the start.</param>
    /// <returns>Completes when the transport listens. Nothing happens if it is not paused.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: there is no such source, the host does not run, or
    /// the transport cannot listen any more; what could not be resumed stays paused.</exception>
    ValueTask ResumeAsync(string? source = null, CancellationToken ct = default);
}
