namespace Postrider.Rpc;

/// <summary>Meets a failure that a contract names, with its type.</summary>
/// <typeparam name="TResult">What comes of it.</typeparam>
public interface IFaultVisitor<out TResult>
{
    /// <summary>Meets it.</summary>
    /// <typeparam name="T">The detail.</typeparam>
    /// <param name="fault">The failure.</param>
    /// <returns>What comes of it.</returns>
    TResult Visit<T>(FaultDescription<T> fault);
}
