using System.Security.Claims;

namespace Postrider;

/// <summary>Information about a call besides its message. Created only for message types whose handler or middleware uses it.</summary>
/// <remarks>Pooled: valid until the handler's task completes, then it is reused. Not thread-safe.</remarks>
public sealed class MessageContext
{
    private Headers? _headers;
    private string? _messageId;
    private string? _correlationId;
    private IServiceProvider? _services;
    private HandlerScope? _handlers;
    private int _expected;
    private int _called;
    private int _ended;

    internal MessageContext()
    {
    }

    /// <summary>The identity of this call; created on first access. A message that arrived was sent with another id, which is its
    /// <see cref="CausationId"/>, and the same for each delivery.</summary>
    public string MessageId => _messageId ??= MessageIds.Next();

    /// <summary>The correlation id, which all messages of a conversation share; the message's own id if it starts one.</summary>
    public string CorrelationId => _correlationId ??= Origin?.CorrelationId ?? MessageId;

    /// <summary>The id of the message that caused this one, or null.</summary>
    public string? CausationId => Origin?.CausationId;

    /// <summary>The user, or null.</summary>
    public ClaimsPrincipal? User => Origin?.User;

    /// <summary>The deadline of the call, or null.</summary>
    public DateTimeOffset? Deadline => Origin?.Deadline;

    /// <summary>Headers of the received message, or those that the caller added with <see cref="IDispatcher.WithHeaders"/>; empty for other local calls.</summary>
    public Headers Headers => Origin?.Headers ?? (_headers ??= []);

    /// <summary>The delivery of a message from a durable transport; otherwise null.</summary>
    public MessageDelivery? Delivery => Origin?.Delivery;

    /// <summary>The caller's cancellation.</summary>
    public CancellationToken Cancellation { get; private set; }

    /// <summary>The scope's services.</summary>
    public IServiceProvider Services => _services!;

    internal CallOrigin? Origin { get; private set; }

    /// <summary>Whether no code after a middleware runs or can still start, so that the context can be used for another call.</summary>
    // Counted without a lock: if a middleware runs the rest on several threads, a count may be lost, and then the context is not
    // used again.
    internal bool IsFree => _ended == _called && _called >= _expected;

    /// <summary>The scope's handlers; created or found when the first is resolved.</summary>
    internal HandlerScope Handlers
        => _handlers ??= Origin is { Services: not null } origin ? origin.Handlers : new HandlerScope(Services);

    /// <summary>Creates a dispatcher for follow-up messages: with the same scope and correlation id, and this message as their cause.</summary>
    /// <returns>A dispatcher that stays valid as long as <see cref="Services"/>.</returns>
    public IDispatcher Follow()
        => ((DispatcherFactory)Services.GetService(typeof(DispatcherFactory))!).Make(new CallOrigin
        {
            Services = Services,
            Handlers = Handlers,
            CorrelationId = CorrelationId,
            // Others know a message that arrived by the id that it was sent with.
            CausationId = Origin is { IsArrival: true, CausationId: { } sent } ? sent : MessageId,
            User = User,
            Deadline = Deadline,
        });

    /// <summary>Records that a middleware received the rest of the pipeline, to call or not.</summary>
    internal void Expect() => _expected++;

    internal void BeginRest() => _called++;

    internal void EndRest() => _ended++;

    internal void Begin(CallOrigin? origin, IServiceProvider services, CancellationToken ct)
    {
        Origin = origin;
        _services = services;
        Cancellation = ct;
    }

    internal void End()
    {
        Origin = null;
        _services = null;
        _handlers = null;
        _messageId = null;
        _correlationId = null;
        _expected = _called = _ended = 0;
        Cancellation = default;
        _headers?.Reset();
    }
}
