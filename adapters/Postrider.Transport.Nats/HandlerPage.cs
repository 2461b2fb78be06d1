namespace Postrider.Transport.Nats;

/// <summary>The message types of a container as JSON.</summary>
internal sealed record HandlerPage
{
    public required string Application { get; init; }

    public required IReadOnlyList<HandlerEntry> Messages { get; init; }

    /// <summary>The number of entries that did not fit into the reply.</summary>
    public required int Omitted { get; init; }
}
