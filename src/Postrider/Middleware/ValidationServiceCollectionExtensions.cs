using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Middleware;

/// <summary>Registers validators that are a delegate.</summary>
public static class ValidationServiceCollectionExtensions
{
    /// <summary>Has <see cref="ValidationMiddleware{TRequest, TResponse}"/> check a message type by a delegate, such as a call
    /// into a validation library.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="services">Where to.</param>
    /// <param name="validate">Gives what is wrong; empty when nothing is. Called by any number of threads.</param>
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
