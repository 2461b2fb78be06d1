using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Middleware;

/// <summary>Registers delegates as validators.</summary>
public static class ValidationServiceCollectionExtensions
{
    /// <summary>Adds a delegate with which <see cref="ValidationMiddleware{TRequest, TResponse}"/> validates a message type, such as a
    /// call to a validation library.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <param name="validate">Returns the errors; empty if the message is valid. Must be thread-safe.</param>
    /// <returns>The same collection.</returns>
    public static IServiceCollection AddValidator<TMessage>(
        this IServiceCollection services, Func<TMessage, IEnumerable<ValidationError>> validate)
    {
        ArgumentNullException.ThrowIfNull(validate);
        return services.AddSingleton<IValidator<TMessage>>(new DelegateValidator<TMessage>(validate));
    }

    private sealed class DelegateValidator<TMessage>(Func<TMessage, IEnumerable<ValidationError>> validate) : IValidator<TMessage>
    {
        public IEnumerable<ValidationError> Validate(TMessage message) => validate(message);
    }
}
