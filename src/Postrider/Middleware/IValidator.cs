namespace Postrider.Middleware;

/// <summary>Checks messages of a type; register any number in the container.</summary>
/// <typeparam name="TMessage">The message.</typeparam>
public interface IValidator<in TMessage>
{
    /// <summary>Checks a message.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The errors; empty if the message is valid.</returns>
    IEnumerable<ValidationError> Validate(TMessage message);
}
