namespace Postrider.Broker.Tracing;

/// <summary>A connection in a trace.</summary>
/// <param name="Kind">One of the constants.</param>
/// <param name="Id">The broker's id of the connection.</param>
/// <param name="Name">The name of the client or the other server; null when it has none.</param>
internal readonly record struct TraceConnection(int Kind, ulong Id, string? Name)
{
    /// <summary>The kind of a client.</summary>
    public const int Client = 0;

    /// <summary>The kind of a server of the same cluster.</summary>
    public const int Route = 1;

    /// <summary>The kind of a leaf node connection.</summary>
    public const int LeafNode = 4;
}
