// A host, and the call of Microsoft.Extensions.Hosting.Systemd, which the tests do not reference.
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

internal static class Surroundings
{
    public static readonly HostApplicationBuilder builder = null!;

    public static IServiceCollection AddSystemd(this IServiceCollection services) => services;
}
