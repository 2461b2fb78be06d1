using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Resilience.Http;

/// <summary>Adds resilience to the clients of <c>IHttpClientFactory</c>.</summary>
public static class HttpResilienceExtensions
{
    /// <summary>Adds retries, and the gates of the options, around the requests of a client.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The client.</returns>
    /// <exception cref="ArgumentException">An option is wrong; the message names it.</exception>
    /// <example><code>
    /// builder.Services.AddHttpClient("stock", client => client.BaseAddress = new Uri("https://stock.example"))
    ///     .AddPostriderResilience(new HttpResilienceOptions { CircuitBreaker = new CircuitBreaker() });
    /// </code></example>
    public static IHttpClientBuilder AddPostriderResilience(this IHttpClientBuilder builder, HttpResilienceOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        options ??= new HttpResilienceOptions();
        options.Validate();
        return builder.AddHttpMessageHandler(() => new ResilienceHandler(options));
    }

    /// <summary>Adds retries, and gates from the container, around the requests of a client.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="options">Creates the options, for example with a circuit breaker that is registered with a key and shared.</param>
    /// <returns>The client.</returns>
    public static IHttpClientBuilder AddPostriderResilience(this IHttpClientBuilder builder, Func<IServiceProvider, HttpResilienceOptions> options)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(options);
        return builder.AddHttpMessageHandler(services => new ResilienceHandler(options(services)));
    }
}
