namespace Postrider.Broker.Routing;

/// <summary>How a traced message arrived in the account in which it is published.</summary>
internal readonly ref struct TraceOrigin
{
    private TraceOrigin(PeerLink? source, ForwardingChain? chain, ReadOnlySpan<byte> groups, bool anyGroup)
    {
        Source = source;
        Chain = chain;
        Groups = groups;
        AnyGroup = anyGroup;
    }

    /// <summary>The connection that received it; null for a client, and for messages from another account.</summary>
    public readonly PeerLink? Source;

    /// <summary>The forwards between accounts so far; null for none.</summary>
    public readonly ForwardingChain? Chain;

    /// <summary>The queue groups that a message of another server is for.</summary>
    public readonly ReadOnlySpan<byte> Groups;

    /// <summary>Whether it is for every queue group.</summary>
    public readonly bool AnyGroup;

    /// <summary>A message of a client.</summary>
    public static TraceOrigin Client => new(null, null, [], anyGroup: true);

    /// <summary>A message that was forwarded from another account.</summary>
    public static TraceOrigin Forwarded(ForwardingChain chain) => new(null, chain, [], anyGroup: true);

    /// <summary>A message of another server.</summary>
    /// <param name="source">The connection that received it.</param>
    /// <param name="groups">The queue groups that it is for.</param>
    /// <param name="anyGroup">Whether it is for every group.</param>
    public static TraceOrigin Peer(PeerLink source, ReadOnlySpan<byte> groups, bool anyGroup) => new(source, null, groups, anyGroup);
}
