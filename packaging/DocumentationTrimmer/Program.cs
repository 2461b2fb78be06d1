using System.Reflection.PortableExecutable;
using System.Xml.Linq;
using Postrider.Packaging;

// The compiler documents internal members too, which nobody can call who has the package.
if (args is not [var assembly, var documentation])
{
    Console.Error.WriteLine("DocumentationTrimmer ASSEMBLY DOCUMENTATION");
    return 2;
}
using var image = new PEReader(File.OpenRead(assembly));
var visible = new VisibleNames(image);
var file = XDocument.Load(documentation, LoadOptions.PreserveWhitespace);
foreach (var member in file.Descendants("member").Where(member => !visible.Contains(member.Attribute("name")!.Value)).ToList())
{
    // With the line that the member stood in.
    if (member.PreviousNode is XText { Value: var blank } before && string.IsNullOrWhiteSpace(blank)) before.Remove();
    member.Remove();
}
file.Save(documentation, SaveOptions.DisableFormatting);
return 0;
