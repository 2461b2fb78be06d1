namespace Postrider.Transports;

/// <summary>What a transport listens to.</summary>
/// <remarks>A transport that can do more has bindings of its own, which derive from this one.</remarks>
/// <param name="Source">The subject, topic or queue; the transport's words, wildcards included.</param>
public record TransportBinding(string Source)
{
    /// <summary>Listeners of one group share the messages; null: every listener gets each.</summary>
    public string? Group { get; init; }

    /// <summary>How many envelopes are handled at a time; 1 keeps their order.</summary>
    public int MaxConcurrency { get; init; } = Environment.ProcessorCount * 4;
}
