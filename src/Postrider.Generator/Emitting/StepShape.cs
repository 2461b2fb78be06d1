namespace Postrider.Generator.Emitting;

/// <summary>What the steps of one message type share.</summary>
/// <param name="IsStream">The response is a sequence.</param>
/// <param name="Message">The message.</param>
/// <param name="Response">The response or item type.</param>
/// <param name="Services">The expression for the scope's services inside a step.</param>
internal sealed record StepShape(bool IsStream, string Message, string Response, string Services)
{
    internal string Pipeline => (IsStream ? "global::Postrider.StreamPipeline" : "global::Postrider.RequestPipeline") + Types;

    internal string Next => (IsStream ? "global::Postrider.NextStream" : "global::Postrider.Next") + Types;

    internal string Signature => $"public override {Returns} Invoke({Message} message, object? state, global::System.Threading.CancellationToken ct)";

    private string Types => $"<{Message}, {Response}>";

    private string Returns => IsStream
        ? $"global::System.Collections.Generic.IAsyncEnumerable<{Response}>"
        : $"global::System.Threading.Tasks.ValueTask<{Response}>";
}
