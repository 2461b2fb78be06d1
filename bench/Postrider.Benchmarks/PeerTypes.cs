using System.Reflection;

namespace Postrider.Benchmarks;

/// <summary>The types of this assembly and of the program that runs it, which may have peers.</summary>
internal static class PeerTypes
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<Type> All { get; } =
        [.. new[] { typeof(PeerTypes).Assembly, Assembly.GetEntryAssembly() ?? typeof(PeerTypes).Assembly }.Distinct().SelectMany(static assembly => assembly.GetTypes())];

    /// <summary>A new one of the class of that name; null when no program with it runs.</summary>
    public static object? Make(string name) => All.FirstOrDefault(type => type.FullName == name) is { } found ? Activator.CreateInstance(found, nonPublic: true) : null;
}
