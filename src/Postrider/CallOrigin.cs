using System.Security.Claims;

namespace Postrider;

/// <summary>The origin of a call: the surrounding scope, and the headers and identities of the message that caused it.</summary>
/// <remarks>Immutable and shared by every call of one dispatcher; a root dispatcher has none.</remarks>
public sealed record CallOrigin
{
    private ScopeLink _link;

    /// <summary>The scope to run scoped handlers in; null makes one per call.</summary>
    public IServiceProvider? Services { get; init; }

    /// <summary>Headers of the message; null for none.</summary>
    public Headers? Headers { get; init; }

    /// <summary>Headers for messages that the dispatcher sends along a route, besides those of Postrider; null for none.</summary>
    public Headers? OutgoingHeaders { get; init; }

    /// <summary>The delivery of the message; null if its transport does not keep messages until they are settled.</summary>
    public MessageDelivery? Delivery { get; init; }

    /// <summary>The correlation id, which all messages of a conversation share; null to start one.</summary>
    public string? CorrelationId { get; init; }

    /// <summary>The id of the message that caused this one.</summary>
    public string? CausationId { get; init; }

    /// <summary>Whether the call handles a message that arrived over a transport, which was sent with the id <see cref="CausationId"/>.</summary>
    internal bool IsArrival { get; init; }

    /// <summary>The user.</summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>The deadline of the call.</summary>
    public DateTimeOffset? Deadline { get; init; }

    /// <summary>The handlers of <see cref="Services"/>. A copy with other services does not inherit them.</summary>
    internal HandlerScope Handlers
    {
        get => _link.Scope is { } scope && ReferenceEquals(scope.Services, Services) ? scope : FindHandlers();
        init => _link = new ScopeLink(value);
    }

    private HandlerScope FindHandlers()
    {
        var found = HandlerScope.Of(Services!);
        _link = new ScopeLink(found);
        return found;
    }

    // The looked-up values are ignored when two origins are compared.
    private readonly struct ScopeLink(HandlerScope? scope) : IEquatable<ScopeLink>
    {
        internal HandlerScope? Scope { get; } = scope;

        public bool Equals(ScopeLink other) => true;

        public override bool Equals(object? obj) => obj is ScopeLink;

        public override int GetHashCode() => 0;
    }
}
