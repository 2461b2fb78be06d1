// Hot path: IDispatcher.SendAsync -> generated IRequest.DispatchTo -> this -> RequestPipeline.Invoke. Allocations: none.
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Postrider;

/// <summary>The core of every dispatcher, which passes a message to its pipeline.</summary>
/// <remarks>Thread-safe.</remarks>
public abstract class DispatcherCore
{
    private readonly PipelineRegistry _pipelines;

    /// <summary>Creates the core of a dispatcher.</summary>
    /// <param name="pipelines">The container's pipelines.</param>
    /// <param name="origin">The surrounding scope and headers, or null for the root.</param>
    protected DispatcherCore(PipelineRegistry pipelines, CallOrigin? origin)
    {
        _pipelines = pipelines;
        Origin = origin;
    }

    /// <summary>The surrounding scope and headers, or null for the root.</summary>
    protected internal CallOrigin? Origin { get; }

    /// <summary>Creates the same dispatcher for another origin, such as a message from a transport with its headers.</summary>
    /// <param name="origin">Headers, identities and user; if it has no services, this dispatcher's scope is kept.</param>
    /// <returns>A dispatcher.</returns>
    public IDispatcher From(CallOrigin origin)
    {
        ArgumentNullException.ThrowIfNull(origin);
        return new Dispatcher(_pipelines, origin.Services is null && Origin?.Services is { } scope ? origin with { Services = scope } : origin);
    }

    /// <summary>Creates the same dispatcher with headers for the messages that are sent through it.</summary>
    /// <param name="headers">The headers; copied.</param>
    /// <returns>A dispatcher with the same scope and origin.</returns>
    /// <exception cref="ArgumentException">A header is written by Postrider itself.</exception>
    public IDispatcher WithHeaders(Headers headers)
    {
        ArgumentNullException.ThrowIfNull(headers);
        if (headers.ReservedProblem() is { } problem)
            throw new ArgumentException(problem, nameof(headers));
        var copy = Headers.Merge(null, headers);
        return From((Origin ?? new CallOrigin()) with { Headers = copy, OutgoingHeaders = copy });
    }

    /// <summary>Sends a message by the id of its type: two loads and one virtual call.</summary>
    /// <typeparam name="TRequest">The message's exact type.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="typeId"><see cref="MessageTypeId{TMessage}.Value"/> of the type.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    // Inlined so that the type arguments are exact: shared generic code looks each of them up at run time.
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask<TResponse> SendByTypeId<TRequest, TResponse>(TRequest request, int typeId, CancellationToken ct)
        where TRequest : notnull
    {
        var items = _pipelines.Items;
        return (uint)typeId < (uint)items.Length && items[typeId] is { } pipeline
            ? Unsafe.As<RequestPipeline<TRequest, TResponse>>(pipeline).Invoke(request, Origin, ct)
            : FirstSend<TRequest, TResponse>(request, typeId, ct);
    }

    /// <summary>Sends a message by a lookup of its run-time type.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/> or <see cref="PostriderError.WrongResponse"/>.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask<TResponse> SendByType<TResponse>(object message, CancellationToken ct)
        => (_pipelines.ByType.Find(message.GetType()) ?? ResolvePipeline(message)) is ResponsePipeline<TResponse> pipeline
            ? pipeline.InvokeMessage(message, Origin, ct)
            : throw WrongResponse(message.GetType(), typeof(TResponse));

    /// <summary>Sends a message for a caller that does not know the response's type.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response, boxed; null if there is none.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask<object?> SendUntyped(object message, CancellationToken ct)
        => (_pipelines.ByType.Find(message.GetType()) ?? ResolvePipeline(message)).InvokeUntyped(message, Origin, ct);

    /// <summary>Queues a message for the background worker.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the wait for room.</param>
    /// <returns>Completes when the message is in the queue.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/> or <see cref="PostriderError.QueueFull"/>.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask PostUntyped(object message, CancellationToken ct)
        => _pipelines.Post(_pipelines.ByType.Find(message.GetType()) ?? ResolvePipeline(message), message, Origin, ct);

    /// <summary>Publishes by the id of the notification's type.</summary>
    /// <typeparam name="TNotification">The message's exact type.</typeparam>
    /// <param name="notification">The message.</param>
    /// <param name="typeId"><see cref="MessageTypeId{TMessage}.Value"/> of the type.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the publish strategy defines.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask PublishByTypeId<TNotification>(TNotification notification, int typeId, CancellationToken ct)
        where TNotification : notnull
    {
        var items = _pipelines.Items;
        return (uint)typeId < (uint)items.Length && items[typeId] is { } pipeline
            ? Unsafe.As<PublishPipeline>(pipeline).Invoke(notification, Origin, ct)
            : FirstPublish(notification, typeId, ct);
    }

    /// <summary>Publishes by a lookup of the notification's run-time type.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the publish strategy defines.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public ValueTask PublishByType(object notification, CancellationToken ct)
        => (_pipelines.ByType.Find(notification.GetType()) ?? ResolvePipeline(notification)) is PublishPipeline pipeline
            ? pipeline.Invoke(notification, Origin, ct)
            : throw NotANotification(notification.GetType());

    /// <summary>Requests a sequence by the id of the request's type.</summary>
    /// <typeparam name="TRequest">The message's exact type.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="typeId"><see cref="MessageTypeId{TMessage}.Value"/> of the type.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The items.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public IAsyncEnumerable<TItem> StreamByTypeId<TRequest, TItem>(TRequest request, int typeId, CancellationToken ct)
        where TRequest : notnull
    {
        var items = _pipelines.Items;
        return (uint)typeId < (uint)items.Length && items[typeId] is { } pipeline
            ? Unsafe.As<StreamPipeline<TRequest, TItem>>(pipeline).Invoke(request, Origin, ct)
            : FirstStream<TRequest, TItem>(request, typeId, ct);
    }

    /// <summary>Requests a sequence by a lookup of the request's run-time type.</summary>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The items.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/> or <see cref="PostriderError.WrongResponse"/>.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public IAsyncEnumerable<TItem> StreamByType<TItem>(object message, CancellationToken ct)
        => (_pipelines.ByType.Find(message.GetType()) ?? ResolvePipeline(message)) is ItemPipeline<TItem> pipeline
            ? pipeline.InvokeMessage(message, Origin, ct)
            : throw WrongResponse(message.GetType(), typeof(TItem));

    /// <summary>Requests a sequence for a caller that does not know the items' type.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The items, boxed.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/> or <see cref="PostriderError.WrongResponse"/>.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public IAsyncEnumerable<object?> StreamUntyped(object message, CancellationToken ct)
        => (_pipelines.ByType.Find(message.GetType()) ?? ResolvePipeline(message)) is IUntypedItems pipeline
            ? pipeline.InvokeUntypedItems(message, Origin, ct)
            : throw WrongResponse(message.GetType(), typeof(IAsyncEnumerable<object>));

    /// <summary>Sends a routed message that its transport delivers after a delay.</summary>
    /// <param name="message">The message.</param>
    /// <param name="delay">The delay; not negative.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>Completes when the transport has accepted the message.</returns>
    private protected ValueTask SendLater(object message, TimeSpan delay, CancellationToken ct)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero);
        return _pipelines.SendLater(message, delay, Origin, ct);
    }

    /// <summary>Sends a routed message that its transport delivers at a time.</summary>
    /// <param name="message">The message.</param>
    /// <param name="due">The time.</param>
    /// <param name="ct">Cancels the send.</param>
    /// <returns>Completes when the transport has accepted the message.</returns>
    private protected ValueTask SendLater(object message, DateTimeOffset due, CancellationToken ct)
    {
        var delay = due - _pipelines.Clock.GetUtcNow();
        return _pipelines.SendLater(message, delay > TimeSpan.Zero ? delay : TimeSpan.Zero, Origin, ct);
    }

    // The first message of a type: compose its pipeline. Only a pipeline of exactly the id's type may be filled in,
    // because the fast path does not check it again.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ValueTask<TResponse> FirstSend<TRequest, TResponse>(TRequest request, int typeId, CancellationToken ct)
        where TRequest : notnull
    {
        if (ResolvePipeline(request) is RequestPipeline<TRequest, TResponse> pipeline)
            _pipelines.Fill(typeId, pipeline);
        return SendByType<TResponse>(request, ct);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ValueTask FirstPublish<TNotification>(TNotification notification, int typeId, CancellationToken ct)
        where TNotification : notnull
    {
        if (ResolvePipeline(notification) is PublishPipeline pipeline)
            _pipelines.Fill(typeId, pipeline);
        return PublishByType(notification, ct);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private IAsyncEnumerable<TItem> FirstStream<TRequest, TItem>(TRequest request, int typeId, CancellationToken ct)
        where TRequest : notnull
    {
        if (ResolvePipeline(request) is StreamPipeline<TRequest, TItem> pipeline)
            _pipelines.Fill(typeId, pipeline);
        return StreamByType<TItem>(request, ct);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Pipeline ResolvePipeline(object message)
        => _pipelines.Find(message.GetType()) ?? throw _pipelines.NoHandler(message.GetType());

    private static PostriderException WrongResponse(Type message, Type response)
        => new(PostriderError.WrongResponse, $"The handler of {message} does not return {response}.");

    private static PostriderException NotANotification(Type message)
        => new(PostriderError.WrongResponse, $"{message} has a request handler; send it instead of publishing it.");
}
