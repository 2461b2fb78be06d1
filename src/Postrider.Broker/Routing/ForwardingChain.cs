namespace Postrider.Broker.Routing;

/// <summary>The forwards between accounts of one message, the last one first.</summary>
/// <remarks>Not thread-safe if there are several: a message is forwarded by one thread.</remarks>
internal sealed class ForwardingChain
{
    // Each forward takes about a kilobyte of the thread's stack.
    private const int MaxDepth = 64;

    // Accounts that each import a service from several others multiply a request with every step.
    private const int MaxForwards = 4096;

    private readonly object _service;
    private readonly ForwardingChain? _previous;
    private readonly int _depth;

    // The number of forwards left for everything after the second one, in the only element; null before.
    private readonly int[]? _left;

    /// <summary>Adds a forward.</summary>
    /// <param name="service">The service that the message is forwarded to: the same object for all imports of it.</param>
    /// <param name="shares">Whether the services after it receive the requester's identity.</param>
    /// <param name="previous">The forwards before, or null.</param>
    /// <param name="isResponse">Whether this forward carries a response back to the requester's account.</param>
    public ForwardingChain(object service, bool shares, ForwardingChain? previous, bool isResponse = false)
    {
        (_service, Shares, _previous, IsResponse) = (service, shares, previous, isResponse || previous is { IsResponse: true });
        if (previous is null) return;
        _depth = previous._depth + 1;
        _left = previous._left ?? [MaxForwards];
    }

    /// <summary>Whether the services after the last forward receive the requester's identity.</summary>
    public bool Shares { get; }

    /// <summary>Whether the message was sent as a response: a requester chose its subject.</summary>
    public bool IsResponse { get; }

    /// <summary>Whether a message may be forwarded to a service: not twice to the same one, and only a limited number of times.</summary>
    /// <param name="chain">The forwards so far; null for none.</param>
    /// <param name="service">The next service.</param>
    public static bool MayForward(ForwardingChain? chain, object service)
    {
        if (chain is null) return true;
        if (chain._depth >= MaxDepth - 1 || (chain._left is { } left && --left[0] < 0)) return false;
        for (var link = chain; link is not null; link = link._previous)
            if (link._service.Equals(service)) return false;
        return true;
    }
}
