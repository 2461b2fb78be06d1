using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Receives envelopes from a transport, reads their messages, runs the generated pipelines and sends replies or errors.</summary>
/// <remarks>Bind the destinations, start, dispose to stop. Binding is not thread-safe; everything else is.</remarks>
public sealed partial class MessagePump : IAsyncDisposable
{
    private static readonly Task<IDisposable?> s_noTurn = Task.FromResult<IDisposable?>(null);

    private readonly ITransport _transport;
    private readonly string _name;
    private readonly ISerializerProvider _serializers;
    private readonly IServiceProvider _services;
    private readonly IServiceScopeFactory _scopes;
    private readonly IncomingMessages _incoming;
    private readonly MessageObserver? _observer;
    private readonly TimeProvider _clock;
    private readonly ILogger _logger;
    private readonly List<Bound> _bindings = [];
    private readonly List<IReceiveMiddleware> _middleware = [];
    private readonly List<(Bound Bound, IAsyncDisposable Listener)> _listeners = [];
    private readonly SemaphoreSlim _changing = new(1); // guards the two lists once the pump has started

    /// <summary>Creates a pump.</summary>
    /// <param name="transport">The transport; disposed by its owner, not by the pump.</param>
    /// <param name="serializers">Read messages and write responses: one format, or a <see cref="SerializerSet"/> of several. A message is
    /// read in the format of its header <see cref="HeaderNames.ContentType"/>, without one in the first; the response is written in the
    /// format of its message.</param>
    /// <param name="services">The container that <c>AddPostrider</c> was called on.</param>
    public MessagePump(ITransport transport, ISerializerProvider serializers, IServiceProvider services)
        : this(transport, transport?.Name!, serializers, services)
    {
    }

    /// <summary>Creates a pump of a transport that was added with a name.</summary>
    internal MessagePump(ITransport transport, string name, ISerializerProvider serializers, IServiceProvider services)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(serializers);
        _transport = transport;
        _name = name;
        _serializers = serializers;
        _services = services;
        _scopes = services.GetRequiredService<IServiceScopeFactory>();
        _incoming = IncomingMessages.Of(services);
        _observer = services.GetService<MessageObserver>();
        _clock = services.GetService<TimeProvider>() ?? TimeProvider.System;
        _logger = (ILogger?)services.GetService<ILogger<MessagePump>>() ?? Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;
    }

    /// <summary>The messages that are received, each with its source.</summary>
    internal IEnumerable<(Type Message, string Source)> Listening => _listeners.Select(static listener => (listener.Bound.Message, listener.Bound.Binding.Source));

    /// <summary>The sources of the bindings, before the start.</summary>
    internal IEnumerable<string> Sources => _bindings.Select(static bound => bound.Binding.Source);

    /// <summary>The sources that are not listened to, after the start; replaced as a whole.</summary>
    internal IReadOnlyList<string> NotListening { get; private set; } = [];

    private delegate ValueTask<Response> Handling(IDispatcher dispatcher, Envelope envelope, CancellationToken ct);

    /// <summary>Handles requests from a source with the handler of <typeparamref name="TRequest"/>.</summary>
    /// <typeparam name="TRequest">The message that the bytes are read as.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports a type.</exception>
    public MessagePump Request<TRequest, TResponse>(TransportBinding binding)
        where TRequest : IRequest<TResponse>
    {
        var requests = new EnvelopeSerializer<TRequest>(_serializers);
        var responses = new EnvelopeSerializer<TResponse>(_serializers);
        _bindings.Add(new(typeof(TRequest), binding, true, async (dispatcher, envelope, ct) =>
        {
            IRequest<TResponse> request = Read(requests, envelope);
            var response = await dispatcher.SendAsync(request, ct).ConfigureAwait(false);
            var (body, contentType) = responses.Write(response, envelope.Headers[HeaderNames.ContentType]);
            return new(body, contentType);
        }
        ));
        return this;
    }

    /// <summary>Handles commands without a result; a reply, if expected, is empty.</summary>
    /// <typeparam name="TCommand">The message that the bytes are read as.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports a type.</exception>
    public MessagePump Command<TCommand>(TransportBinding binding)
        where TCommand : ICommand
    {
        var commands = new EnvelopeSerializer<TCommand>(_serializers);
        _bindings.Add(new(typeof(TCommand), binding, false, async (dispatcher, envelope, ct) =>
        {
            ICommand command = Read(commands, envelope);
            await dispatcher.SendAsync(command, ct).ConfigureAwait(false);
            return default;
        }
        ));
        return this;
    }

    /// <summary>Handles stream requests from a source; the items are sent as the caller requests them.</summary>
    /// <typeparam name="TRequest">The message that the bytes are read as.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports a type.</exception>
    public MessagePump Stream<TRequest, TItem>(TransportBinding binding)
        where TRequest : IStreamRequest<TItem>
    {
        var requests = new EnvelopeSerializer<TRequest>(_serializers);
        var serializer = new EnvelopeSerializer<TItem>(_serializers);
        _bindings.Add(new(typeof(TRequest), binding, true, static (_, _, _) => default)
        {
            Stream = items => async (dispatcher, envelope, ct) =>
            {
                IStreamRequest<TItem> request = Read(requests, envelope);
                await foreach (var item in dispatcher.StreamAsync(request, ct).ConfigureAwait(false))
                    await items.AddAsync(item, serializer, envelope.Headers[HeaderNames.ContentType], ct).ConfigureAwait(false);
                return default;
            },
        });
        return this;
    }

    /// <summary>Handles messages from a source in batches, by the handler of <see cref="MessageBatch{TMessage}"/>.</summary>
    /// <typeparam name="TMessage">The message that the bytes are read as.</typeparam>
    /// <param name="binding">The source. Its <see cref="TransportBinding.MaxConcurrency"/> is the number of messages that are held at
    /// once: at least those of one batch.</param>
    /// <param name="options">The size of the batches; null for the defaults.</param>
    /// <returns>This pump.</returns>
    /// <remarks>Each message is settled individually: see <see cref="MessageBatch{TMessage}.Fail"/>.</remarks>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports the type;
    /// <see cref="PostriderError.Configuration"/>: the options contradict the binding.</exception>
    public MessagePump Batch<TMessage>(TransportBinding binding, BatchOptions? options = null)
        where TMessage : notnull
    {
        options ??= new();
        options.Check(binding, typeof(TMessage));
        var messages = new EnvelopeSerializer<TMessage>(_serializers);
        var collector = new BatchCollector<TMessage>(options, binding.OrderByKey, _clock, _observer, async (batch, ct) =>
        {
            var scope = _scopes.CreateAsyncScope();
            await using (scope.ConfigureAwait(false))
                await _incoming.DispatcherFor(new() { Services = scope.ServiceProvider }).SendAsync((ICommand)batch, ct).ConfigureAwait(false);
        });
        _bindings.Add(new(typeof(TMessage), binding, false, async (_, envelope, ct) =>
        {
            await collector.AddAsync(Read(messages, envelope), envelope, ct).ConfigureAwait(false);
            return default;
        })
        {
            Handled = typeof(MessageBatch<TMessage>),
            Collect = collector.Collect,
        });
        return this;
    }

    /// <summary>Publishes received notifications to the local handlers.</summary>
    /// <typeparam name="TNotification">The message that the bytes are read as.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports a type.</exception>
    public MessagePump Notification<TNotification>(TransportBinding binding)
        where TNotification : INotification
    {
        var notifications = new EnvelopeSerializer<TNotification>(_serializers);
        _bindings.Add(new(typeof(TNotification), binding, false, async (dispatcher, envelope, ct) =>
        {
            INotification notification = Read(notifications, envelope);
            await dispatcher.PublishAsync(notification, ct).ConfigureAwait(false);
            return default;
        }
        ));
        return this;
    }

    /// <summary>Runs a middleware around the handling of every message that arrives through this pump.</summary>
    /// <param name="middleware">The middleware; the first one that is added is the outermost.</param>
    /// <returns>This pump.</returns>
    public MessagePump Use(IReceiveMiddleware middleware)
    {
        ArgumentNullException.ThrowIfNull(middleware);
        _middleware.Add(middleware);
        return this;
    }

    /// <summary>Adds a middleware that the container's services create.</summary>
    internal void Use(Func<IServiceProvider, IReceiveMiddleware> create) => Use(create(_services));

    /// <summary>Starts listening to all bindings that do not listen. After a failure it may be called again.</summary>
    /// <param name="ct">Cancels the start.</param>
    /// <returns>Completes when the transport listens.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a bound message has neither a handler in the
    /// container nor a route, or a route to its own binding; or the transport does not support a binding.</exception>
    public ValueTask StartAsync(CancellationToken ct = default) => ResumeAsync(source: null, ct);

    /// <summary>Stops listening and waits for running handlers; streams that are open are cancelled.</summary>
    /// <returns>Completes when no handler is running.</returns>
    public async ValueTask DisposeAsync()
    {
        await PauseAsync(source: null, CancellationToken.None).ConfigureAwait(false);
        _bindings.Clear();
    }

    /// <summary>Stops listening to a source and waits for its running handlers; the rest stays where the transport keeps it.</summary>
    /// <param name="source">The source; null for all.</param>
    /// <param name="ct">Cancels the wait for another call that starts or stops.</param>
    /// <returns>Completes when none of its handlers is running.</returns>
    internal async ValueTask PauseAsync(string? source, CancellationToken ct)
    {
        await _changing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            for (var i = 0; i < _listeners.Count;)
            {
                var (bound, listener) = _listeners[i];
                if (!IsOf(bound, source))
                {
                    i++;
                    continue;
                }

                bound.Collect?.Invoke(false);
                await listener.DisposeAsync().ConfigureAwait(false);
                if (bound.Responder is not null)
                    await bound.Responder.DisposeAsync().ConfigureAwait(false);
                _incoming.Unbind(bound.Handled, _transport, bound.Binding);
                _listeners.RemoveAt(i);
                _bindings.Add(bound);
            }
        }
        finally
        {
            NotListening = [.. Sources];
            _changing.Release();
        }
    }

    /// <summary>Listens to a source that is not listened to.</summary>
    /// <param name="source">The source; null for all.</param>
    /// <param name="ct">Cancels the start.</param>
    /// <inheritdoc cref="StartAsync" path="/returns"/>
    /// <inheritdoc cref="StartAsync" path="/exception"/>
    internal async ValueTask ResumeAsync(string? source, CancellationToken ct)
    {
        await _changing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            for (var i = 0; i < _bindings.Count;)
            {
                if (!IsOf(_bindings[i], source))
                {
                    i++;
                    continue;
                }

                var named = _bindings[i] with { Binding = _bindings[i].Binding with { TransportName = _name } };
                _listeners.Add((named, await ListenAsync(named, ct).ConfigureAwait(false)));
                // One by one: if the start fails, it may be tried again, and continues with the rest.
                _bindings.RemoveAt(i);
            }
        }
        finally
        {
            NotListening = [.. Sources];
            _changing.Release();
        }
    }

    private static bool IsOf(Bound bound, string? source) => source is null || string.Equals(bound.Binding.Source, source, StringComparison.Ordinal);

    private async ValueTask<IAsyncDisposable> ListenAsync(Bound bound, CancellationToken ct)
    {
        if (bound.Stream is not null)
            AbilityCheck.StreamBinding(_transport, bound.Binding, bound.Message);
        AbilityCheck.Binding(_transport, bound.Binding, bound.Message, bound.Replies);
        AbilityCheck.Source(_transport, bound.Binding, bound.Message, _listeners.Select(static listening => (listening.Bound.Message, listening.Bound.Binding)));
        foreach (var middleware in _middleware)
            middleware.Check(_transport, bound.Binding, bound.Handled, bound.Replies);
        if (bound.Stream is { } stream)
            bound.Responder = new StreamResponder(_transport, _clock, _logger, (envelope, items, stop) => HandleStream(bound, stream(items), envelope, stop));
        EnvelopeReceiver receiver = bound switch
        {
            { Responder: { } responder } => responder.ReceiveAsync,
            { Binding.OrderByKey: true, Collect: null } => InOrder(bound),
            _ => (envelope, stop) => Receive(bound, envelope, stop),
        };
        if (EnvelopeFormats.Of(_transport, bound.Binding, bound.Message) is { } format)
            receiver = new FormatReceiver(_transport, format, receiver, _logger, _clock).ReceiveAsync;
        bound.Collect?.Invoke(true);
        _incoming.Bind(bound.Handled, _transport, bound.Binding);
        try
        {
            return await _transport.ListenAsync(bound.Binding, receiver, ct).ConfigureAwait(false);
        }
        catch
        {
            _incoming.Unbind(bound.Handled, _transport, bound.Binding);
            throw;
        }
    }

    private EnvelopeReceiver InOrder(Bound bound)
    {
        var keys = new KeyedLock();
        return (envelope, stop) => ReceiveInTurn(envelope.Headers[HeaderNames.Key] is { Length: > 0 } key ? keys.EnterAsync(key) : s_noTurn, envelope, stop);

        async ValueTask<Envelope?> ReceiveInTurn(Task<IDisposable?> entering, Envelope envelope, CancellationToken stop)
        {
            // The transport starts handlers one after the other: a handler that does not wait must not hold up the next one.
            using var turn = await entering.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            return await Receive(bound, envelope, stop).ConfigureAwait(false);
        }
    }

    // The outermost level of the loop: every exception of a handler becomes a reply, so that one bad message does not stop the loop.
    private async ValueTask<Envelope?> Receive(Bound bound, Envelope envelope, CancellationToken ct)
    {
        try
        {
            var response = await Handle(bound, bound.Handle, envelope, ct).ConfigureAwait(false);
            return envelope.ReplyTo is null ? null : Answer(envelope, response);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            throw;
        }
        catch (Exception error)
        {
            var kind = Failed(envelope, error);
            return envelope.ReplyTo is null ? null : Failure(envelope, kind);
        }
    }

    private async Task<FailureKind?> HandleStream(Bound bound, Handling handling, Envelope envelope, CancellationToken ct)
    {
        try
        {
            await Handle(bound, handling, envelope, ct).ConfigureAwait(false);
            return null;
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            throw;
        }
        catch (Exception error)
        {
            return Failed(envelope, error);
        }
    }

    private ValueTask<Response> Handle(Bound bound, Handling handling, Envelope envelope, CancellationToken ct)
        => ProcessSpan.IsListenedTo ? HandleTraced(bound, handling, envelope, ct) : HandleInScope(bound, handling, envelope, ct);

    private ValueTask<Response> HandleTraced(Bound bound, Handling handling, Envelope envelope, CancellationToken ct)
        => ProcessSpan.AroundAsync(_transport.Name, envelope, () => HandleInScope(bound, handling, envelope, ct));

    private async ValueTask<Response> HandleInScope(Bound bound, Handling handling, Envelope envelope, CancellationToken ct)
    {
        // Not by 'await using', which with ConfigureAwait boxes the scope.
        var scope = _scopes.CreateAsyncScope();
        try
        {
            // Routes do not apply: the message has arrived at its destination.
            var dispatcher = _incoming.DispatcherFor(Origin(envelope, scope.ServiceProvider));
            var response = _middleware.Count == 0
                ? await handling(dispatcher, envelope, ct).ConfigureAwait(false)
                : await HandleWithin(bound, handling, dispatcher, envelope, scope.ServiceProvider, ct).ConfigureAwait(false);
            _observer?.OnHandled(envelope, null);
            return response;
        }
        finally
        {
            await scope.DisposeAsync().ConfigureAwait(false);
        }
    }

    private FailureKind Failed(Envelope envelope, Exception error)
    {
        var kind = FailureKind.Of(error);
        if (error is PostriderException { Error: PostriderError.Conflict })
        {
            LogConflict(_logger, _name, envelope.Destination, error.Message);
        }
        else if (envelope.Delivery is not { IsProcessed: true })
        {
            // A processor logs whether the message is retried or a dead letter.
            ProcessSpan.Fail(error);
            if (kind.IsOfSender)
                LogRejected(_logger, _name, envelope.Destination, Reason(error));
            else
                LogFailed(_logger, _name, envelope.Destination, error);
        }

        _observer?.OnHandled(envelope, error);
        envelope.Delivery?.Fail(error is UnreadableMessageException { InnerException: { } cause } ? cause : error);
        return kind;
    }

    private async ValueTask<Response> HandleWithin(Bound bound, Handling handling, IDispatcher dispatcher, Envelope envelope, IServiceProvider services, CancellationToken ct)
    {
        Response response = default;
        var message = new ReceivedMessage(_transport, bound.Binding, bound.Message, envelope, services);
        await InvokeAsync(0, ct).ConfigureAwait(false);
        return response;

        async ValueTask InvokeAsync(int at, CancellationToken ct)
        {
            if (at == _middleware.Count)
                response = await handling(dispatcher, envelope, ct).ConfigureAwait(false);
            else
                await _middleware[at].HandleAsync(message, ct => InvokeAsync(at + 1, ct), ct).ConfigureAwait(false);
        }
    }

    private T Read<T>(EnvelopeSerializer<T> messages, Envelope envelope)
    {
        try
        {
            var message = messages.Read(envelope) ?? throw new PostriderException(PostriderError.Codec, $"The message is null, not a {typeof(T)}.");
            _observer?.OnRead(envelope, message);
            return message;
        }
        catch (Exception unreadable)
        {
            // The sender is told what it can change: the format, or that the bytes are invalid. The details may name types.
            var failure = messages.ContentTypeOf(envelope) is { } contentType
                ? new UnreadableMessageException($"The body is not a valid message ({contentType}).", unreadable)
                : new UnreadableMessageException(unreadable.Message);
            envelope.Delivery?.Fail(unreadable, isUnreadable: true);
            throw failure;
        }
    }

    // For the log: the details about the bytes, or the rejected sender; the sender does not see this.
    private static string Reason(Exception error) => error.InnerException is { } cause ? $"{error.Message} {cause.Message}" : error.Message;

    private static CallOrigin Origin(Envelope envelope, IServiceProvider services) => new()
    {
        Services = services,
        Headers = envelope.Headers,
        Delivery = envelope.Delivery,
        CorrelationId = envelope.Headers[HeaderNames.CorrelationId],
        CausationId = envelope.Headers[HeaderNames.MessageId],
        IsArrival = true,
        Deadline = MessageProperties.ParseTime(envelope.Headers[HeaderNames.Deadline]),
    };

    private static Envelope Answer(Envelope request, in Response response)
    {
        var headers = new Headers();
        if (response.ContentType is not null)
            headers.Add(HeaderNames.ContentType, response.ContentType);
        if (request.Headers[HeaderNames.CorrelationId] is { } correlation)
            headers.Add(HeaderNames.CorrelationId, correlation);
        return new Envelope { Destination = request.ReplyTo!, Headers = headers, Body = response.Body };
    }

    private static Envelope Failure(Envelope request, FailureKind kind) => new()
    {
        Destination = request.ReplyTo!,
        Headers = { { HeaderNames.Error, kind.Text.ReplaceLineEndings(" ") }, { HeaderNames.ErrorCode, kind.Code } },
    };

    [LoggerMessage(1, LogLevel.Error, "A message from {Transport} at '{Source}' failed.")]
    private static partial void LogFailed(ILogger logger, string transport, string source, Exception error);

    [LoggerMessage(6, LogLevel.Information, "A message from {Transport} at '{Source}' was rejected: {Reason}")]
    private static partial void LogRejected(ILogger logger, string transport, string source, string reason);

    [LoggerMessage(7, LogLevel.Debug, "A message from {Transport} at '{Source}' conflicted with another one: {Reason}")]
    private static partial void LogConflict(ILogger logger, string transport, string source, string reason);

    /// <summary>The body of a reply; without one there is no content type.</summary>
    private readonly record struct Response(ReadOnlyMemory<byte> Body, string? ContentType);

    private sealed record Bound(Type Message, TransportBinding Binding, bool Replies, Handling Handle)
    {
        /// <summary>Handles a stream request, whose items are written into a buffer; null for other messages.</summary>
        internal Func<StreamBuffer, Handling>? Stream { get; init; }

        /// <summary>Handles stream requests while the pump listens.</summary>
        internal StreamResponder? Responder { get; set; }

        /// <summary>The handler's parameter type: the message, or a batch of it.</summary>
        internal Type Handled { get; init; } = Message;

        /// <summary>Whether messages wait for more of their batch; false handles those that wait. Null for messages that are handled
        /// individually. Batches keep the order of keys themselves.</summary>
        internal Action<bool>? Collect { get; init; }
    }
}
