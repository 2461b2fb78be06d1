namespace Postrider.Dispatch;

/// <summary>Creates the exception of a publish that called all handlers.</summary>
internal static class PublishErrors
{
    /// <summary>One exception for all.</summary>
    /// <param name="errors">The exceptions of the handlers; at least one.</param>
    /// <param name="handlers">How many there are.</param>
    /// <param name="message">The notification.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>A cancellation if the caller cancelled and no handler failed otherwise; else all of them.</returns>
    internal static Exception All(List<Exception> errors, int handlers, Type message, CancellationToken ct)
        => ct.IsCancellationRequested && errors.TrueForAll(static e => e is OperationCanceledException)
            ? new OperationCanceledException($"{errors.Count} of {handlers} handlers of {message} were cancelled.", errors[0], ct)
            : new AggregateException($"{errors.Count} of {handlers} handlers of {message} failed.", errors);
}
