namespace Postrider;

/// <summary>A hook that is called in line when the handler has ended, either way.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
public interface IFinallyHook<in TRequest>
{
    /// <summary>Called after the handler and after <see cref="IAfterHook{TRequest, TResponse}"/>, in the reverse order of the hooks.</summary>
    /// <param name="request">The message.</param>
    /// <param name="error">What was thrown by the handler or by another hook, or null.</param>
    void Finally(TRequest request, Exception? error);
}
