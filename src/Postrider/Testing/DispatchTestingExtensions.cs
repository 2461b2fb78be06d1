using Microsoft.Extensions.DependencyInjection;
using Postrider.Dispatch;

namespace Postrider.Testing;

/// <summary>Registers the test harness.</summary>
public static class DispatchTestingExtensions
{
    /// <summary>Records everything that passes through <see cref="IDispatcher"/>; read it from <see cref="DispatchRecords"/>.</summary>
    /// <param name="services">The service collection, after <c>AddPostrider</c>.</param>
    /// <returns>The same collection.</returns>
    public static IServiceCollection AddDispatchRecorder(this IServiceCollection services)
    {
        services.AddSingleton<DispatchRecords>();
        return services.AddTransient<IDispatcher>(provider => new DispatchRecorder(
            provider.GetRequiredService<PipelineTable>().For(provider), provider.GetRequiredService<DispatchRecords>()));
    }
}
