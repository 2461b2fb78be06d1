using Postrider.Site;

if (args is not [var root, var output])
{
    Console.Error.WriteLine("usage: Postrider.Site REPOSITORY OUTPUT");
    return 2;
}

var site = DocumentationSite.Read(root);
foreach (var problem in site.Problems)
    Console.Error.WriteLine(problem);
site.WriteTo(output);
Console.WriteLine($"{site.Pages.Count} pages at {Path.GetFullPath(output)}/index.html");
return site.Problems.Count == 0 ? 0 : 1;
