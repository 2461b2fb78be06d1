namespace Postrider.Samples.Converter;

public sealed partial record MilesToKilometers(double Miles) : IQuery<double>;

public sealed partial record FeetToMeters(double Feet) : IQuery<double>;

public sealed partial record InchesToCentimeters(double Inches) : IQuery<double>;

public sealed partial record YardsToMeters(double Yards) : IQuery<double>;

public sealed partial record NauticalMilesToKilometers(double Miles) : IQuery<double>;

public sealed partial record FathomsToMeters(double Fathoms) : IQuery<double>;

public sealed partial record FurlongsToMeters(double Furlongs) : IQuery<double>;

public sealed partial record ChainsToMeters(double Chains) : IQuery<double>;

public sealed partial record LightYearsToTerameters(double Years) : IQuery<double>;

public sealed partial record AngstromsToNanometers(double Angstroms) : IQuery<double>;

/// <summary>Handlers as static methods: they need no instance and complete at once.</summary>
internal static class Lengths
{
    [Handler]
    public static double Convert(MilesToKilometers query) => query.Miles * 1.609344;

    [Handler]
    public static double Convert(FeetToMeters query) => query.Feet * 0.3048;

    [Handler]
    public static double Convert(InchesToCentimeters query) => query.Inches * 2.54;

    [Handler]
    public static double Convert(YardsToMeters query) => query.Yards * 0.9144;

    [Handler]
    public static double Convert(NauticalMilesToKilometers query) => query.Miles * 1.852;

    [Handler]
    public static double Convert(FathomsToMeters query) => query.Fathoms * 1.8288;

    [Handler]
    public static double Convert(FurlongsToMeters query) => query.Furlongs * 201.168;

    [Handler]
    public static double Convert(ChainsToMeters query) => query.Chains * 20.1168;

    [Handler]
    public static double Convert(LightYearsToTerameters query) => query.Years * 9460.7304725808;

    [Handler]
    public static double Convert(AngstromsToNanometers query) => query.Angstroms * 0.1;
}
