Console.WriteLine("postrider");
