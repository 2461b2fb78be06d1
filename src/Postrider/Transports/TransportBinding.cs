namespace Postrider.Transports;

/// <summary>The source that a transport listens to.</summary>
/// <remarks>Transports with more options derive their own bindings from this one.</remarks>
/// <param name="Source">The subject, topic or queue, in the format of the transport, including wildcards.</param>
public record TransportBinding(string Source)
{
    /// <summary>Listeners of one group share the messages; null so that every listener gets each message.</summary>
    public string? Group { get; init; }

    /// <summary>Number of envelopes that are handled concurrently; 1 keeps their order.</summary>
    public int MaxConcurrency { get; init; } = Environment.ProcessorCount * 4;
}
