using System.Reflection;

namespace Postrider.Broker.Monitoring;

/// <summary>Postrider's own version, next to the version of nats-server whose behaviour it follows.</summary>
internal static class ProductVersion
{
    /// <summary>The version without the commit, such as <c>0.1.0</c>.</summary>
    internal static string Text { get; } =
        typeof(ProductVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
}
