namespace Postrider.Dispatch;

/// <summary>The pipelines of messages that arrive through a binding: those of the container, except for routed messages, which go to the
/// handlers of this container.</summary>
/// <remarks>Thread-safe. Without it a message that is routed to a destination which the same container listens to would be sent
/// there repeatedly.</remarks>
internal sealed class LocalPipelines(PipelineTable table) : PipelineRegistry
{
    protected override Pipeline? Resolve(Type messageType) => table.ResolveLocal(messageType, this);

    protected internal override ValueTask Post(Pipeline pipeline, object message, CallOrigin? origin, CancellationToken ct)
        => table.Post(pipeline, message, origin, ct);

    internal override TimeProvider Clock => table.Clock;

    internal override ValueTask SendLater(object message, TimeSpan delay, CallOrigin? origin, CancellationToken ct)
        => table.SendLater(message, delay, origin, ct);

    protected internal override PostriderException NoHandler(Type messageType) => table.NoHandler(messageType);
}
