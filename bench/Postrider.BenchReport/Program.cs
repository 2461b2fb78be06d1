using Postrider.BenchReport;

if (args is ["plot", var rows, var picture])
{
    if (Plot.Render(BenchFigure.ReadAll(File.ReadLines(rows))) is not { } svg)
    {
        Console.Error.WriteLine($"{rows} compares nothing: no plot is written.");
        return 1;
    }

    File.WriteAllText(picture, svg);
    return 0;
}

if (args is not ["compare", var committedFile, var freshFile])
{
    Console.Error.WriteLine("usage: Postrider.BenchReport compare COMMITTED FRESH\n       Postrider.BenchReport plot ROWS PICTURE");
    return 2;
}

try
{
    var findings = Comparison.Of(BenchFigure.ReadAll(File.ReadLines(committedFile)), BenchFigure.ReadAll(File.ReadLines(freshFile)));
    Print("better than committed", Verdict.Better);
    Print("slower, and the peer as well: the machine, not the code", Verdict.SlowerMachine);
    Print("committed rows that this run does not have", Verdict.Missing);
    Print("WORSE than committed by more than the noise", Verdict.Worse);
    var worse = findings.Count(finding => finding.Verdict == Verdict.Worse);
    var missing = findings.Count(finding => finding.Verdict == Verdict.Missing);
    Console.WriteLine($"{findings.Count} figures compared, {worse} worse, {missing} missing");
    return worse + missing == 0 ? 0 : 1;

    void Print(string heading, Verdict verdict)
    {
        var lines = findings.Where(finding => finding.Verdict == verdict).ToArray();
        if (lines.Length == 0)
            return;

        Console.WriteLine(heading + ":");
        foreach (var line in lines)
            Console.WriteLine("  " + line);
    }
}
catch (Exception wrong) when (wrong is IOException or FormatException)
{
    Console.Error.WriteLine(wrong.Message);
    return 2;
}
