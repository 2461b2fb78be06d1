namespace Postrider.Rpc;

/// <summary>Visits a declared fault with the type of its detail.</summary>
/// <typeparam name="TResult">The result of the visit.</typeparam>
public interface IFaultVisitor<out TResult>
{
    /// <summary>Visits the object.</summary>
    /// <typeparam name="T">The detail.</typeparam>
    /// <param name="fault">The failure.</param>
    /// <returns>The result.</returns>
    TResult Visit<T>(FaultDescription<T> fault);
}
