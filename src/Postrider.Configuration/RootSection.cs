using Microsoft.Extensions.Configuration;

namespace Postrider.Configuration;

/// <summary>The section <c>Postrider</c>, below which the packages have theirs.</summary>
internal static class RootSection
{
    private const string Name = "Postrider";

    // A longer name with one or two wrong letters; a short one with two may be another word.
    private const int ShortLength = 4;

    private static readonly string[] s_known = ["Broker", "Client", "Flow", "Routes", "Rpc"];

    /// <summary>Rejects sections whose names are nearly those of a package: they would not be read. Others may be the application's.</summary>
    /// <param name="configuration">The configuration; null for none.</param>
    /// <exception cref="InvalidConfigurationException">The text has a line for each.</exception>
    public static void Check(IConfiguration? configuration)
    {
        if (configuration is null)
            return;
        List<string> problems =
        [
            .. from child in configuration.GetSection(Name).GetChildren()
               where !s_known.Contains(child.Key, StringComparer.OrdinalIgnoreCase)
               let meant = Suggestion.For(child.Key, s_known, child.Key.Length <= ShortLength ? 1 : 2)
               where meant is not null
               select $"{child.Path} is not a known section. Did you mean '{meant}'?",
        ];
        if (problems.Count > 0)
            throw new InvalidConfigurationException(string.Join(Environment.NewLine, problems));
    }
}
