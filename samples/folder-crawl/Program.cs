using FolderCrawl;
using Postrider.CommandLine.Bars;
using Postrider.Flow;
using Postrider.Resilience;
using Spectre.Console;

// folder-crawl FOLDER [FILES AT ONCE]: hashes and compresses every file under a folder and says what it found.
if (args.Length is 0 or > 2 || !Directory.Exists(args[0]))
{
    AnsiConsole.WriteLine("usage: folder-crawl FOLDER [FILES AT ONCE]");
    return 2;
}
var atOnce = args.Length == 2 ? int.Parse(args[1]) : Environment.ProcessorCount * 2;
using var cancel = new CancellationTokenSource();
Console.CancelKeyPress += (_, key) =>
{
    key.Cancel = true;
    cancel.Cancel();
};

var files = new DirectoryInfo(args[0]).EnumerateFiles("*", new EnumerationOptions { RecurseSubdirectories = true, IgnoreInaccessible = true }).ToList();
var options = new FlowOptions<FileInfo>
{
    MaxConcurrency = atOnce,

    // Big files are read beside small ones, but never more than 64 MiB of them at once.
    Bulkhead = new Bulkhead(64 * 1024 * 1024),
    Weight = file => file.Length,

    // A file that vanishes or is locked is reported, not fatal; one that is locked for a moment gets another chance.
    Errors = ErrorMode.Skip,
    Retry = new RetryPolicy { Handle = failure => failure is IOException and not FileNotFoundException and not DirectoryNotFoundException },
    ProgressInterval = TimeSpan.FromMilliseconds(100),
};

try
{
    var outcomes = await FlowBar.RunAsync("reading", progress =>
        files.SelectOutcomesAsync(FileReport.ReadAsync, options with { Progress = progress }, cancel.Token));
    Report.Print(files, outcomes);
    return 0;
}
catch (OperationCanceledException)
{
    AnsiConsole.WriteLine("Stopped.");
    return 130;
}
