using System.Security.Claims;

namespace Postrider;

/// <summary>Where a call comes from: the surrounding scope, and what an arriving message or a surrounding one hands on.</summary>
/// <remarks>Immutable and shared by every call of one dispatcher; a root dispatcher has none.</remarks>
public sealed record CallOrigin
{
    /// <summary>The scope to run scoped handlers in; null makes one per call.</summary>
    public IServiceProvider? Services { get; init; }

    /// <summary>Headers of the message that arrived; null for none.</summary>
    public Headers? Headers { get; init; }

    /// <summary>The delivery that brought the message; null where it is not kept until it is settled.</summary>
    public MessageDelivery? Delivery { get; init; }

    /// <summary>The identity that all messages of one conversation share; null starts one.</summary>
    public string? CorrelationId { get; init; }

    /// <summary>The identity of the message that caused this one.</summary>
    public string? CausationId { get; init; }

    /// <summary>Who asks.</summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>When the answer is of no use any more.</summary>
    public DateTimeOffset? Deadline { get; init; }
}
