namespace Postrider.Samples.Converter;

public sealed partial record HorsepowerToKilowatts(double Horsepower) : IQuery<double>;

public sealed partial record CaloriesToJoules(double Calories) : IQuery<double>;

public sealed partial record ThermalUnitsToJoules(double Units) : IQuery<double>;

public sealed partial record KilowattHoursToMegajoules(double Hours) : IQuery<double>;

public sealed partial record ElectronvoltsToAttojoules(double Electronvolts) : IQuery<double>;

public sealed partial record AtmospheresToKilopascals(double Atmospheres) : IQuery<double>;

public sealed partial record BarsToKilopascals(double Bars) : IQuery<double>;

public sealed partial record PoundsPerSquareInchToKilopascals(double Pounds) : IQuery<double>;

public sealed partial record MillimetersOfMercuryToPascals(double Millimeters) : IQuery<double>;

public sealed partial record FootPoundsToJoules(double Pounds) : IQuery<double>;

/// <summary>Energy, power and pressure.</summary>
internal static class Powers
{
    [Handler]
    public static double Convert(HorsepowerToKilowatts query) => query.Horsepower * 0.74569987158227;

    [Handler]
    public static double Convert(CaloriesToJoules query) => query.Calories * 4.184;

    [Handler]
    public static double Convert(ThermalUnitsToJoules query) => query.Units * 1055.05585262;

    [Handler]
    public static double Convert(KilowattHoursToMegajoules query) => query.Hours * 3.6;

    [Handler]
    public static double Convert(ElectronvoltsToAttojoules query) => query.Electronvolts * 0.1602176634;

    [Handler]
    public static double Convert(AtmospheresToKilopascals query) => query.Atmospheres * 101.325;

    [Handler]
    public static double Convert(BarsToKilopascals query) => query.Bars * 100;

    [Handler]
    public static double Convert(PoundsPerSquareInchToKilopascals query) => query.Pounds * 6.894757293168;

    [Handler]
    public static double Convert(MillimetersOfMercuryToPascals query) => query.Millimeters * 133.322387415;

    [Handler]
    public static double Convert(FootPoundsToJoules query) => query.Pounds * 1.3558179483314;
}
