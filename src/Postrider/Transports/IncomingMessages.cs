namespace Postrider.Transports;

/// <summary>The side of a container that messages arrive at: routes are for those who send, and do not count here.</summary>
internal abstract class IncomingMessages
{
    /// <summary>Makes a dispatcher for a message that arrived through a binding.</summary>
    internal abstract IDispatcher DispatcherFor(CallOrigin origin);

    /// <summary>Records a binding, or rejects one whose messages would return to it.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal abstract void Bind(Type messageType, ITransport listener, TransportBinding binding);

    /// <summary>Forgets a binding.</summary>
    internal abstract void Unbind(Type messageType, ITransport listener, TransportBinding binding);

    /// <summary>Rejects routes over a transport that ask for what it cannot do.</summary>
    /// <param name="name">The name that the transport was added with.</param>
    /// <param name="transport">The transport.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal abstract void CheckRoutes(string name, ITransport transport);
}
