using System.Security.Claims;

namespace Postrider;

/// <summary>What a handler or middleware may want to know of a call beside the message. Made only for message types that take one.</summary>
/// <remarks>Pooled: valid until the handler's task completes, then it serves another call. The pipeline returns it, never the
/// caller. Not thread-safe.</remarks>
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

    /// <summary>This message's identity; made at the first reading.</summary>
    public string MessageId => _messageId ??= Guid.CreateVersion7().ToString("N");

    /// <summary>The identity that all messages of one conversation share; the message's own where it starts one.</summary>
    public string CorrelationId => _correlationId ??= Origin?.CorrelationId ?? MessageId;

    /// <summary>The identity of the message that caused this one, or null.</summary>
    public string? CausationId => Origin?.CausationId;

    /// <summary>Who asks, or null.</summary>
    public ClaimsPrincipal? User => Origin?.User;

    /// <summary>When the answer is of no use any more, or null.</summary>
    public DateTimeOffset? Deadline => Origin?.Deadline;

    /// <summary>Headers that arrived with the message; empty for a local call.</summary>
    public Headers Headers => Origin?.Headers ?? (_headers ??= []);

    /// <summary>Which delivery of the message this is, for one that a durable transport brought; null for any other call.</summary>
    public MessageDelivery? Delivery => Origin?.Delivery;

    /// <summary>The caller's cancellation.</summary>
    public CancellationToken Cancellation { get; private set; }

    /// <summary>The scope's services.</summary>
    public IServiceProvider Services => _services!;

    internal CallOrigin? Origin { get; private set; }

    /// <summary>Nothing behind a middleware runs any more, or may still begin: the context can serve another call.</summary>
    // Counted without a lock: where a middleware runs the rest on several threads a count may be lost, and then the context is not
    // used again.
    internal bool IsFree => _ended == _called && _called >= _expected;

    /// <summary>The scope's handlers; made or found when the first is asked for.</summary>
    internal HandlerScope Handlers
        => _handlers ??= Origin is { Services: not null } origin ? origin.Handlers : new HandlerScope(Services);

    /// <summary>A dispatcher for messages that this one causes: same scope, same correlation, this message as the cause.</summary>
    /// <returns>A dispatcher that stays valid as long as <see cref="Services"/>.</returns>
    public IDispatcher Follow()
        => ((DispatcherFactory)Services.GetService(typeof(DispatcherFactory))!).Make(new CallOrigin
        {
            Services = Services,
            Handlers = Handlers,
            CorrelationId = CorrelationId,
            CausationId = MessageId,
            User = User,
            Deadline = Deadline,
        });

    /// <summary>A middleware got the rest of the pipeline, to call or not.</summary>
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
        _headers?.Clear();
    }
}
