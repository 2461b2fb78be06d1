using System.Security.Claims;

namespace Postrider;

/// <summary>Where a call comes from: the surrounding scope, and what an arriving message or a surrounding one hands on.</summary>
/// <remarks>Immutable and shared by every call of one dispatcher; a root dispatcher has none.</remarks>
public sealed record CallOrigin
{
    private ScopeLink _link;

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

    /// <summary>The handlers of <see cref="Services"/>. What a copy was given with other services does not count.</summary>
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

    // What was looked up is no part of what makes two origins equal.
    private readonly struct ScopeLink(HandlerScope? scope) : IEquatable<ScopeLink>
    {
        internal HandlerScope? Scope { get; } = scope;

        public bool Equals(ScopeLink other) => true;

        public override bool Equals(object? obj) => obj is ScopeLink;

        public override int GetHashCode() => 0;
    }
}
