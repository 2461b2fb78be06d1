using FolderCrawl;
using Postrider.Flow;
using Postrider.Flow.SpectreConsole;
using Postrider.Resilience;
using Spectre.Console;

// folder-crawl FOLDER [FILES AT ONCE]: hashes and compresses every file in a folder and prints a report.
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

    // Large files are read concurrently with small ones, but never more than 64 MiB at a time.
    Bulkhead = new Bulkhead(64 * 1024 * 1024),
    Weight = file => file.Length,

    // A file that disappears or is locked is reported and does not end the crawl; a locked file is tried again.
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
