namespace Postrider.Generator.Emitting;

/// <summary>The common properties of the steps of one message type.</summary>
internal sealed class StepShape
{
    /// <param name="isStream">The response is a sequence.</param>
    /// <param name="message">The message.</param>
    /// <param name="response">The response or item type.</param>
    /// <param name="services">The expression for the scope's services inside a step.</param>
    /// <param name="mayHaveContext">Whether a call of the message may have a context.</param>
    internal StepShape(bool isStream, string message, string response, string services, bool mayHaveContext)
    {
        var types = $"<{message}, {response}>";
        IsStream = isStream;
        Message = message;
        Response = response;
        Services = services;
        Pipeline = (isStream ? "_P::StreamPipeline" : "_P::RequestPipeline") + types;
        Watch = mayHaveContext && !isStream ? "_D::ContextLifetime" + types : "";
        Next = (isStream ? "_P::NextStream" : "_P::Next") + types;
        Signature = $"{(isStream ? "_G::IAsyncEnumerable" : "_T::ValueTask")}<{response}> Invoke({message} message, object? state, _C ct)";
    }

    internal bool IsStream { get; }

    internal string Message { get; }

    internal string Response { get; }

    internal string Services { get; }

    internal string Pipeline { get; }

    /// <summary>The class between a middleware and the rest, or empty.</summary>
    internal string Watch { get; }

    internal string Next { get; }

    internal string Signature { get; }
}
