using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Where a route sends its messages, and how.</summary>
/// <remarks>A destination alone is a string. Transports with more options derive their own targets from this one.</remarks>
/// <param name="Destination">The destination: a subject, topic or queue, in the format of the transport.</param>
public record SendTarget(string Destination)
{
    /// <summary>The time to live of a message; null for no expiry. Greater than zero, at most 36,500 days.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>How long the transport keeps a message before it delivers it; zero for immediate delivery. Not negative, at
    /// most <see cref="MessageSender.MaxDelay"/>.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>Headers of every message of a route, besides those of Postrider; null for none. Must not be modified after the start.
    /// <see cref="IDispatcher.WithHeaders"/> adds headers to single messages.</summary>
    public Headers? Headers { get; init; }

    /// <summary>Writes the messages of a route as CloudEvents; null for the headers of <see cref="HeaderNames"/>.</summary>
    public CloudEventOptions? CloudEvents { get; init; }

    /// <summary>Writes the messages of a route in MassTransit's form; null for Postrider's own. Commands and notifications only: a route whose
    /// sender waits for a response is rejected. At most one of this, <see cref="CloudEvents"/> and <see cref="NServiceBus"/>.</summary>
    public MassTransitOptions? MassTransit { get; init; }

    /// <summary>Writes the messages of a route in NServiceBus's form; null for Postrider's own. Commands and notifications only: a route whose
    /// sender waits for a response is rejected. At most one of this, <see cref="CloudEvents"/> and <see cref="MassTransit"/>.</summary>
    public NServiceBusOptions? NServiceBus { get; init; }

    /// <summary>The name with which the transport was added, for errors; null for a transport of another origin.</summary>
    internal string? TransportName { get; init; }

    /// <summary>A destination without options.</summary>
    /// <param name="destination">The destination.</param>
    public static implicit operator SendTarget(string destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return new(destination);
    }
}
