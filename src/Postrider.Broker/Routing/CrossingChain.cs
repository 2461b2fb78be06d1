namespace Postrider.Broker.Routing;

/// <summary>The crossings that a message came through, the last one first.</summary>
/// <remarks>Not thread-safe where there are several: a message is brought over by one thread.</remarks>
internal sealed class CrossingChain
{
    // Each takes about a kilobyte of the thread's stack.
    private const int MaxDepth = 64;

    // Accounts that each import a service from several others multiply a request with every step.
    private const int MaxCrossings = 4096;

    private readonly object _service;
    private readonly CrossingChain? _previous;
    private readonly int _depth;

    // How many crossings are left to everything behind the second one, in the only place; null before.
    private readonly int[]? _left;

    /// <summary>Goes on by a crossing.</summary>
    /// <param name="service">What the crossing is to: equal for all that lead there.</param>
    /// <param name="shares">Whether the services behind it are told who asks.</param>
    /// <param name="previous">The crossings before, or null.</param>
    public CrossingChain(object service, bool shares, CrossingChain? previous)
    {
        (_service, Shares, _previous) = (service, shares, previous);
        if (previous is null) return;
        _depth = previous._depth + 1;
        _left = previous._left ?? [MaxCrossings];
    }

    /// <summary>Whether the services behind the last crossing are told who asks.</summary>
    public bool Shares { get; }

    /// <summary>Whether a message that came through a chain may go on to a service: not twice to the same, and not endlessly.</summary>
    /// <param name="chain">The crossings so far; null for none.</param>
    /// <param name="service">What the next one would be to.</param>
    public static bool MayGoOn(CrossingChain? chain, object service)
    {
        if (chain is null) return true;
        if (chain._depth >= MaxDepth - 1 || (chain._left is { } left && --left[0] < 0)) return false;
        for (var link = chain; link is not null; link = link._previous)
            if (link._service.Equals(service)) return false;
        return true;
    }
}
