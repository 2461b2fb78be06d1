using Postrider.Load;
using Postrider.Load.Native;
using Postrider.Load.Reports;
using Postrider.Load.Tables;

try
{
    var options = Options.Parse(args);
    ProcessClock.RaiseDescriptorLimit();
    switch (options.Verb)
    {
        case "broker":
            var lines = new CoreTable(options, Console.Error).Run();
            Console.WriteLine(MarkdownTable.Print(lines));
            return 0;
        default:
            Console.WriteLine(Options.Usage);
            return options.Verb == "help" ? 0 : 2;
    }
}
catch (LoadException e)
{
    Console.Error.WriteLine($"load: {e.Message}");
    return 1;
}
