namespace Postrider;

/// <summary>The decision of an exception handler.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="response">The response that replaces the exception.</param>
public readonly struct ExceptionHandlerResult<TResponse>(TResponse response)
{
    /// <summary>Whether there is a response; false for the default value.</summary>
    public bool IsHandled { get; } = true;

    /// <summary>The response; meaningful when <see cref="IsHandled"/>.</summary>
    public TResponse Response { get; } = response;
}
