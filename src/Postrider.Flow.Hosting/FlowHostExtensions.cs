using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Configuration;

namespace Postrider.Flow.Hosting;

/// <summary>Adds gates and options of operators to a host.</summary>
public static class FlowHostExtensions
{
    /// <summary>The configuration section.</summary>
    public const string SectionName = "Postrider:Flow";

    /// <summary>Adds the gates and options of operators that the configuration section <c>Postrider:Flow</c> defines, each under its
    /// name.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <returns>The builder.</returns>
    /// <remarks>
    /// <para><c>Bulkheads</c>, <c>RateLimiters</c>, <c>CircuitBreakers</c> and <c>Retries</c> have a section for each name. Services take
    /// with <c>[FromKeyedServices("stock")] CircuitBreaker breaker</c>: all users of the same name share one object,
    /// be it an operator, a middleware, a channel or an HTTP client. <c>Operations</c> has a section for each <see cref="FlowOptions"/>;
    /// its keys <c>Bulkhead</c>, <c>RateLimit</c>, <c>CircuitBreaker</c> and <c>Retry</c> name gates. Operations are measured by a
    /// <see cref="Outcomes.FlowMeter"/> with their name.</para>
    /// <para>Times come from the container's <see cref="TimeProvider"/> if there is one.</para>
    /// </remarks>
    /// <exception cref="Postrider.Configuration.InvalidConfigurationException">Values are missing or wrong, or an operation names a gate
    /// that does not exist. The text has a line for each.</exception>
    /// <example><code>
    /// builder.AddPostriderFlow();
    /// // "Postrider": { "Flow": {
    /// //   "CircuitBreakers": { "stock": { "FailureThreshold": 5, "OpenTime": "30s" } },
    /// //   "Operations": { "import": { "MaxConcurrency": 16, "CircuitBreaker": "stock" } } } }
    /// public sealed class Importer([FromKeyedServices("import")] FlowOptions options)
    /// </code></example>
    public static IHostApplicationBuilder AddPostriderFlow(this IHostApplicationBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        RootSection.Check(builder.Configuration);
        builder.Services.AddPostriderFlow(builder.Configuration.GetSection(SectionName));
        return builder;
    }

    /// <summary>Adds the gates and options that a configuration section defines.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="section">The section.</param>
    /// <returns>The service collection.</returns>
    /// <inheritdoc cref="AddPostriderFlow(IHostApplicationBuilder)" path="/remarks"/>
    /// <inheritdoc cref="AddPostriderFlow(IHostApplicationBuilder)" path="/exception"/>
    public static IServiceCollection AddPostriderFlow(this IServiceCollection services, IConfigurationSection section)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(section);
        FlowSection.Read(section).AddTo(services);
        return services;
    }
}
