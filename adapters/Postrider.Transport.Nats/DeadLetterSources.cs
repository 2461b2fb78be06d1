using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>The known destinations of dead letters as JSON.</summary>
internal sealed record DeadLetterSources
{
    public required IReadOnlyList<DeadLetterSource> Sources { get; init; }
}
