using System.Buffers;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Middleware;

namespace Postrider.Transports;

/// <summary>Receives envelopes from a transport, decodes them, runs the generated pipelines and sends replies or errors.</summary>
/// <remarks>Bind the destinations, start, dispose to stop. Binding is not thread-safe; everything else is.</remarks>
public sealed partial class MessagePump : IAsyncDisposable
{
    private readonly ITransport _transport;
    private readonly ICodec _codec;
    private readonly IServiceScopeFactory _scopes;
    private readonly IncomingMessages _incoming;
    private readonly ILogger _logger;
    private readonly List<Bound> _bindings = [];
    private readonly List<(Bound Bound, IAsyncDisposable Listener)> _listeners = [];

    /// <summary>Creates a pump.</summary>
    /// <param name="transport">The transport; disposed by its owner, not by the pump.</param>
    /// <param name="codec">Decodes messages and encodes responses.</param>
    /// <param name="services">The container that <c>AddPostrider</c> was called on.</param>
    public MessagePump(ITransport transport, ICodec codec, IServiceProvider services)
    {
        _transport = transport;
        _codec = codec;
        _scopes = services.GetRequiredService<IServiceScopeFactory>();
        _incoming = services.GetRequiredService<IncomingMessages>();
        _logger = (ILogger?)services.GetService<ILogger<MessagePump>>() ?? Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;
    }

    private delegate ValueTask<ReadOnlyMemory<byte>> Handling(IDispatcher dispatcher, Envelope envelope, CancellationToken ct);

    /// <summary>Handles requests from a source with the handler of <typeparamref name="TRequest"/>.</summary>
    /// <typeparam name="TRequest">The message that the bytes are decoded to.</typeparam>
    /// <typeparam name="TResponse">The response that is encoded.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    public MessagePump Request<TRequest, TResponse>(TransportBinding binding)
        where TRequest : IRequest<TResponse>
    {
        _bindings.Add(new(typeof(TRequest), binding, async (dispatcher, envelope, ct) =>
        {
            IRequest<TResponse> request = Read<TRequest>(envelope);
            var response = await dispatcher.SendAsync(request, ct).ConfigureAwait(false);
            var output = new ArrayBufferWriter<byte>();
            _codec.Encode(output, response);
            return output.WrittenMemory;
        }
        ));
        return this;
    }

    /// <summary>Handles commands without a result; a reply, if expected, is empty.</summary>
    /// <typeparam name="TCommand">The message that the bytes are decoded to.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    public MessagePump Command<TCommand>(TransportBinding binding)
        where TCommand : ICommand
    {
        _bindings.Add(new(typeof(TCommand), binding, async (dispatcher, envelope, ct) =>
        {
            ICommand command = Read<TCommand>(envelope);
            await dispatcher.SendAsync(command, ct).ConfigureAwait(false);
            return default;
        }
        ));
        return this;
    }

    /// <summary>Publishes received notifications to the local handlers.</summary>
    /// <typeparam name="TNotification">The message that the bytes are decoded to.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This pump.</returns>
    public MessagePump Notification<TNotification>(TransportBinding binding)
        where TNotification : INotification
    {
        _bindings.Add(new(typeof(TNotification), binding, async (dispatcher, envelope, ct) =>
        {
            INotification notification = Read<TNotification>(envelope);
            await dispatcher.PublishAsync(notification, ct).ConfigureAwait(false);
            return default;
        }
        ));
        return this;
    }

    /// <summary>Starts listening to all bindings. After a failure it may be called again.</summary>
    /// <param name="ct">Cancels the start.</param>
    /// <returns>Completes when the transport listens.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a message without a handler in the container is
    /// routed to its own binding.</exception>
    public async ValueTask StartAsync(CancellationToken ct = default)
    {
        while (_bindings is [var bound, ..])
        {
            _listeners.Add((bound, await ListenAsync(bound, ct).ConfigureAwait(false)));
            // One by one: a start that fails may be tried again, and listens to the rest.
            _bindings.RemoveAt(0);
        }
    }

    /// <summary>Stops listening and waits for running handlers.</summary>
    /// <returns>Completes when no handler is running.</returns>
    public async ValueTask DisposeAsync()
    {
        foreach (var (bound, listener) in _listeners)
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            _incoming.Unbind(bound.Message, _transport, bound.Binding);
        }

        _listeners.Clear();
    }

    private async ValueTask<IAsyncDisposable> ListenAsync(Bound bound, CancellationToken ct)
    {
        _incoming.Bind(bound.Message, _transport, bound.Binding);
        try
        {
            return await _transport.ListenAsync(bound.Binding, (envelope, stop) => Receive(bound, envelope, stop), ct).ConfigureAwait(false);
        }
        catch
        {
            _incoming.Unbind(bound.Message, _transport, bound.Binding);
            throw;
        }
    }

    // The outermost level of the loop: every exception of a handler becomes an answer, so that one bad message does not stop the loop.
    private async ValueTask<Envelope?> Receive(Bound bound, Envelope envelope, CancellationToken ct)
    {
        try
        {
            var scope = _scopes.CreateAsyncScope();
            await using (scope.ConfigureAwait(false))
            {
                // Routes do not count: the message has arrived where it was sent to.
                var dispatcher = _incoming.DispatcherFor(Origin(envelope, scope.ServiceProvider));
                var body = await bound.Handle(dispatcher, envelope, ct).ConfigureAwait(false);
                return envelope.ReplyTo is null ? null : Answer(envelope, body);
            }
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            throw;
        }
        catch (Exception error)
        {
            var kind = FailureKind.Of(error);
            if (kind.IsOfSender)
                LogRejected(_logger, _transport.Name, envelope.Destination, Reason(error));
            else
                LogFailed(_logger, _transport.Name, envelope.Destination, error);
            envelope.Delivery?.Fail(error is UnreadableMessageException { InnerException: { } cause } ? cause : error);
            return envelope.ReplyTo is null ? null : Failure(envelope, kind);
        }
    }

    private T Read<T>(Envelope envelope)
    {
        try
        {
            return _codec.Decode<T>(envelope.Body.Span);
        }
        catch (Exception unreadable)
        {
            var failure = new UnreadableMessageException(_codec.ContentType, unreadable);
            envelope.Delivery?.Fail(failure, isUnreadable: true);
            throw failure;
        }
    }

    // For the log: what was found in the bytes, or who may not send the message; the sender does not see this.
    private static string Reason(Exception error) => error.InnerException is { } cause ? $"{error.Message} {cause.Message}" : error.Message;

    private static CallOrigin Origin(Envelope envelope, IServiceProvider services) => new()
    {
        Services = services,
        Headers = envelope.Headers,
        Delivery = envelope.Delivery,
        CorrelationId = envelope.Headers[HeaderNames.CorrelationId],
        CausationId = envelope.Headers[HeaderNames.MessageId],
        Deadline = DateTimeOffset.TryParseExact(
            envelope.Headers[HeaderNames.Deadline], "O", CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out var deadline)
            ? deadline
            : null,
    };

    private Envelope Answer(Envelope request, ReadOnlyMemory<byte> body)
    {
        var headers = new Headers { { HeaderNames.ContentType, _codec.ContentType } };
        if (request.Headers[HeaderNames.CorrelationId] is { } correlation)
            headers.Add(HeaderNames.CorrelationId, correlation);
        return new Envelope { Destination = request.ReplyTo!, Headers = headers, Body = body };
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

    private sealed record Bound(Type Message, TransportBinding Binding, Handling Handle);
}
