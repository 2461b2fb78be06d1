using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>A request to the service of dead letters.</summary>
internal sealed record DeadLetterRequest
{
    public string? Transport { get; init; }

    public string? Source { get; init; }

    public string? Id { get; init; }

    public string? Reason { get; init; }

    public string? Origin { get; init; }

    public string? After { get; init; }

    public int? Max { get; init; }

    public int? PaceMs { get; init; }

    public bool? All { get; init; }

    /// <exception cref="NatsServiceException">400: the reason or the pace is not valid.</exception>
    internal DeadLetterQuery Query()
    {
        DeadLetterReason? reason = null;
        if (Reason is not null)
            reason = Enum.GetNames<DeadLetterReason>().Contains(Reason, StringComparer.OrdinalIgnoreCase) ? Enum.Parse<DeadLetterReason>(Reason, ignoreCase: true) : throw new NatsServiceException(400, $"'{Reason}' is not a reason. Reasons: {string.Join(", ", Enum.GetNames<DeadLetterReason>())}.");
        if (PaceMs is < 0 or > 60_000)
            throw new NatsServiceException(400, $"'pace_ms' is {PaceMs} and must be from 0 to 60000.");
        return new() { Id = Id, Reason = reason, Origin = Origin, After = After, Pace = TimeSpan.FromMilliseconds(PaceMs ?? 0) };
    }
}
