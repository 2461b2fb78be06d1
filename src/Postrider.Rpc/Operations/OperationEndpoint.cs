namespace Postrider.Rpc;

/// <summary>An operation with its implementation.</summary>
public abstract class OperationEndpoint
{
    private protected OperationEndpoint()
    {
    }

    /// <summary>The operation.</summary>
    public abstract Operation Operation { get; }

    /// <summary>Calls a visitor with the endpoint's types, so that a transport can use them without reflection.</summary>
    /// <typeparam name="TResult">The visitor's result.</typeparam>
    /// <param name="visitor">The visitor.</param>
    /// <returns>The visitor's result.</returns>
    public abstract TResult Accept<TResult>(IEndpointVisitor<TResult> visitor);
}
