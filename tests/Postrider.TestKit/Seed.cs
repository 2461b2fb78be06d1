using System.Globalization;

namespace Postrider.TestKit;

/// <summary>The seed of tests that draw their inputs.</summary>
/// <remarks>
/// The same in every run unless the environment variable <c>POSTRIDER_SEED</c> says otherwise, so that only a change to the
/// code changes a result: a number repeats the run of that seed, <c>random</c> draws one. <c>./dev check</c> draws. A test
/// writes its seed to its output, so that a failure names it.
/// </remarks>
public static class Seed
{
    private const int Usual = 1;

    /// <summary>Whether POSTRIDER_SEED asks for the run of one seed.</summary>
    public static bool IsReplay => int.TryParse(Given, CultureInfo.InvariantCulture, out _);

    private static string? Given => Environment.GetEnvironmentVariable("POSTRIDER_SEED");

    /// <summary>The seed to use.</summary>
    /// <param name="usual">The seed of a run that asks for none.</param>
    /// <exception cref="FormatException">POSTRIDER_SEED is neither a number nor <c>random</c>.</exception>
    public static int Next(int usual = Usual) => Given switch
    {
        null or "" => usual,
        "random" => Random.Shared.Next(),
        var given when int.TryParse(given, CultureInfo.InvariantCulture, out var seed) => seed,
        var given => throw new FormatException($"POSTRIDER_SEED is '{given}'. It must be a number or 'random'."),
    };
}
