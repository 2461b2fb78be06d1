using System.Buffers;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Brings a transport's envelopes to the handlers: arriving bytes, codec, generated pipeline, reply or error.</summary>
/// <remarks>Bind the destinations, start, dispose to stop. Binding is not thread-safe; everything else is.</remarks>
public sealed partial class TransportPump : IAsyncDisposable
{
    private readonly ITransport _transport;
    private readonly ICodec _codec;
    private readonly IServiceScopeFactory _scopes;
    private readonly DispatcherFactory _dispatchers;
    private readonly ILogger _logger;
    private readonly List<(TransportBinding Binding, Route Route)> _bindings = [];
    private readonly List<IAsyncDisposable> _listeners = [];

    /// <summary>Makes a pump.</summary>
    /// <param name="transport">Brings the envelopes; disposed by its owner, not by the pump.</param>
    /// <param name="codec">Decodes messages and encodes responses.</param>
    /// <param name="services">The container that <c>AddPostrider</c> was called on.</param>
    public TransportPump(ITransport transport, ICodec codec, IServiceProvider services)
    {
        _transport = transport;
        _codec = codec;
        _scopes = services.GetRequiredService<IServiceScopeFactory>();
        _dispatchers = services.GetRequiredService<DispatcherFactory>();
        _logger = (ILogger?)services.GetService<ILogger<TransportPump>>() ?? Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;
    }

    private delegate ValueTask<ReadOnlyMemory<byte>> Route(IDispatcher dispatcher, Envelope envelope, CancellationToken ct);

    /// <summary>Answers requests that arrive at a source with the handler of <typeparamref name="TRequest"/>.</summary>
    /// <typeparam name="TRequest">The message that the bytes are decoded to.</typeparam>
    /// <typeparam name="TResponse">The response that is encoded.</typeparam>
    /// <param name="binding">What to listen to.</param>
    /// <returns>This pump.</returns>
    public TransportPump Request<TRequest, TResponse>(TransportBinding binding)
        where TRequest : IRequest<TResponse>
    {
        _bindings.Add((binding, async (dispatcher, envelope, ct) =>
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

    /// <summary>Carries out commands without a result; the answer, where one is expected, is empty.</summary>
    /// <typeparam name="TCommand">The message that the bytes are decoded to.</typeparam>
    /// <param name="binding">What to listen to.</param>
    /// <returns>This pump.</returns>
    public TransportPump Command<TCommand>(TransportBinding binding)
        where TCommand : ICommand
    {
        _bindings.Add((binding, async (dispatcher, envelope, ct) =>
        {
            ICommand command = Read<TCommand>(envelope);
            await dispatcher.SendAsync(command, ct).ConfigureAwait(false);
            return default;
        }
        ));
        return this;
    }

    /// <summary>Publishes notifications that arrive to the local handlers.</summary>
    /// <typeparam name="TNotification">The message that the bytes are decoded to.</typeparam>
    /// <param name="binding">What to listen to.</param>
    /// <returns>This pump.</returns>
    public TransportPump Notification<TNotification>(TransportBinding binding)
        where TNotification : INotification
    {
        _bindings.Add((binding, async (dispatcher, envelope, ct) =>
        {
            INotification notification = Read<TNotification>(envelope);
            await dispatcher.PublishAsync(notification, ct).ConfigureAwait(false);
            return default;
        }
        ));
        return this;
    }

    /// <summary>Starts to listen to everything bound so far. One that failed may be called again.</summary>
    /// <param name="ct">Cancels the start.</param>
    /// <returns>Completes when the transport listens.</returns>
    public async ValueTask StartAsync(CancellationToken ct = default)
    {
        while (_bindings is [var (binding, route), ..])
        {
            var listener = await _transport.ListenAsync(binding, (envelope, stop) => Receive(route, envelope, stop), ct)
                .ConfigureAwait(false);
            _listeners.Add(listener);
            // One by one: a start that fails may be tried again, and listens to the rest.
            _bindings.RemoveAt(0);
        }
    }

    /// <summary>Stops listening and waits for the messages under way.</summary>
    /// <returns>Completes when nothing is under way.</returns>
    public async ValueTask DisposeAsync()
    {
        foreach (var listener in _listeners)
            await listener.DisposeAsync().ConfigureAwait(false);
        _listeners.Clear();
    }

    // The rim of the loop: whatever a handler throws becomes an answer, so that one bad message stops nobody.
    private async ValueTask<Envelope?> Receive(Route route, Envelope envelope, CancellationToken ct)
    {
        try
        {
            var scope = _scopes.CreateAsyncScope();
            await using (scope.ConfigureAwait(false))
            {
                var dispatcher = _dispatchers.Make(Origin(envelope, scope.ServiceProvider));
                var body = await route(dispatcher, envelope, ct).ConfigureAwait(false);
                return envelope.ReplyTo is null ? null : Answer(envelope, body);
            }
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            throw;
        }
        catch (Exception error)
        {
            LogFailed(_logger, _transport.Name, envelope.Destination, error);
            envelope.Delivery?.Fail(error);
            return envelope.ReplyTo is null ? null : Failure(envelope, error);
        }
    }

    private T Read<T>(Envelope envelope)
    {
        try
        {
            return _codec.Decode<T>(envelope.Body.Span);
        }
        catch (Exception unreadable) when (envelope.Delivery is not null)
        {
            envelope.Delivery.Fail(unreadable, isUnreadable: true);
            throw;
        }
    }

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

    private static Envelope Failure(Envelope request, Exception error)
    {
        var code = error is PostriderException known ? known.Error.ToString() : error.GetType().Name;
        var message = error.Message.ReplaceLineEndings(" ");
        return new Envelope
        {
            Destination = request.ReplyTo!,
            Headers = { { HeaderNames.Error, message }, { HeaderNames.ErrorCode, code } },
        };
    }

    [LoggerMessage(1, LogLevel.Error, "A message from {Transport} at '{Source}' failed.")]
    private static partial void LogFailed(ILogger logger, string transport, string source, Exception error);
}
