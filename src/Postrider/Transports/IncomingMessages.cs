namespace Postrider.Transports;

/// <summary>The receiving side of a container: routes are for senders, and do not apply here.</summary>
internal abstract class IncomingMessages
{
    /// <summary>Finds the receiving side of a container.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the container has no dispatcher.</exception>
    internal static IncomingMessages Of(IServiceProvider services)
        => (IncomingMessages?)services.GetService(typeof(IncomingMessages))
            ?? throw new PostriderException(PostriderError.Configuration, "The container has bindings and no dispatcher to handle their messages: call AddPostrider() in the project of the handlers.");

    /// <summary>Creates a dispatcher for a message that arrived through a binding.</summary>
    internal abstract IDispatcher DispatcherFor(CallOrigin origin);

    /// <summary>Records a binding, or rejects one whose messages would return to it.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal abstract void Bind(Type messageType, ITransport listener, TransportBinding binding);

    /// <summary>Removes a binding.</summary>
    internal abstract void Unbind(Type messageType, ITransport listener, TransportBinding binding);

    /// <summary>Rejects routes over a transport that are impossible, and finds destinations that do not exist.</summary>
    /// <param name="name">The name with which the transport was added.</param>
    /// <param name="transport">The transport.</param>
    /// <param name="ct">Cancels the check.</param>
    /// <returns>A text for each destination that does not exist: others may create it later.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/> or <see cref="PostriderError.Codec"/>: a route is
    /// impossible; <see cref="PostriderError.NoListener"/>: a destination does not exist, and everything has to be valid at the start.</exception>
    internal abstract ValueTask<IReadOnlyList<string>> CheckRoutesAsync(string name, ITransport transport, CancellationToken ct);
}
