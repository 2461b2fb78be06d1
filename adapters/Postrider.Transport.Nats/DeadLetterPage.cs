namespace Postrider.Transport.Nats;

/// <summary>A page of dead letters as JSON.</summary>
internal sealed record DeadLetterPage
{
    public required IReadOnlyList<DeadLetterEntry> Letters { get; init; }

    /// <summary>The value of <c>after</c> for the next page; null for the last one.</summary>
    public string? Next { get; init; }
}
