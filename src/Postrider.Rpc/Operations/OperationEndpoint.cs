namespace Postrider.Rpc;

/// <summary>An operation with the code that answers it.</summary>
public abstract class OperationEndpoint
{
    private protected OperationEndpoint()
    {
    }

    /// <summary>The operation.</summary>
    public abstract Operation Operation { get; }

    /// <summary>Gives the endpoint with its types to a visitor: a transport makes of it what it needs, without reflection.</summary>
    /// <typeparam name="TResult">What the visitor makes.</typeparam>
    /// <param name="visitor">The visitor.</param>
    /// <returns>What it made.</returns>
    public abstract TResult Accept<TResult>(IEndpointVisitor<TResult> visitor);
}
