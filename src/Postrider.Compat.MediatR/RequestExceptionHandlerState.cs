namespace Postrider.Compat.MediatR;

/// <summary>The result of an exception handler, as in MediatR.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
public class RequestExceptionHandlerState<TResponse>
{
    /// <summary>Whether there is a response.</summary>
    public bool Handled { get; private set; }

    /// <summary>The response; the default value until there is one.</summary>
    public TResponse? Response { get; private set; }

    /// <summary>Replaces the exception by a response.</summary>
    /// <param name="response">The response.</param>
    public void SetHandled(TResponse response)
    {
        Handled = true;
        Response = response;
    }
}
